// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// Navigation messages of satellites that are simulated: the reverse of `NavigationFrame`.
extension Ephemeris {
    /// Creates the ephemeris of a simulated satellite from values in their units; those that are
    /// left out are 0. Returns `nil` if the orbit is impossible.
    ///
    /// - Parameter sent: The time of transmission in seconds since 6 January 1980, in GPS time.
    package init?(
        simulated satellite: SatelliteID, _ message: NavigationMessage, sent: Int,
        _ values: [NavigationParameter: Double]
    ) {
        var numbers = NavigationNumbers()
        for (parameter, value) in values {
            guard let number = Int(exactly: (value / message.scale(parameter)).rounded()) else {
                return nil
            }
            numbers[parameter] = number
        }
        if let weeks = message.weeks {
            numbers[.week] = (sent / Self.week - weeks.first) % weeks.period
        } else {
            let moscow =
                sent
                - GPSTime.leapSeconds(
                    on: CalendarDate(daysSince1970: GPSTime.firstDay + sent / 86_400) ?? .unixEpoch)
                + 10_800
            numbers[.nt] = (moscow / 86_400 - 5839) % 1461 + 1
        }
        self.init(satellite, message, numbers, near: sent, hasTime: false)
    }

    /// Returns the message that the satellite has sent when a second ends, in seconds since
    /// 6 January 1980, in GPS time; `nil` if it has ended none with a part of the ephemeris.
    package func message(endingAt second: Int) -> RxmSFRBX? {
        let (period, pages): (Int, [Int]) =
            switch message {
            case .lnav: (6, [1, 2, 3, 0, 0])
            case .inav: (2, INAVPage.types.map { 1...5 ~= $0 ? $0 : 0 })
            case .fdma: (2, [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
            case .d1: (6, [1, 2, 3, 0, 0])
            case .fnav, .d2: (0, [])
            }
        // Pages of Galileo begin in odd seconds.
        let offset = message == .inav ? 1 : 0
        guard period > 0, second % period == offset, second >= period + offset else { return nil }
        let start = second - period
        let page = pages[start / period % pages.count]
        guard page > 0 else { return nil }
        if message == .inav {
            return INAVPage(word: inavWord(page, at: start), osnma: 0).message(of: satellite.svid)
        }
        var frame = RxmSFRBX()
        frame.gnssID = UInt8(satellite.constellation.gnssID)
        frame.svid = satellite.svid
        let words: [UInt32]
        switch message {
        case .lnav: words = lnav(page, at: start)
        case .fdma:
            words = fdma(page, frame: start / 30)
            frame.frequencyID = UInt8(truncatingIfNeeded: numbers[.channel] + 7)
        case .d1: words = d1(page, at: start)
        case .inav, .fnav, .d2: return nil
        }
        frame.set(words)
        return frame
    }

    /// Returns the fields of an ephemeris, and `others`, in the bits of a page.
    private func bits(
        ofPage page: Int, _ others: [NavigationField] = [], count: Int
    ) -> BitArray {
        var bits = BitArray(count: count)
        for field in message.fields + others {
            var number = numbers[field.parameter]
            if field.sign == .signAndMagnitude, number < 0 {
                number = 1 << (field.width - 1) - number
            }
            var rest = field.width
            for part in field.parts {
                rest -= part.width
                guard part.page == page else { continue }
                bits.set(number >> rest, part.start, part.width)
            }
        }
        return bits
    }

    private func lnav(_ subframe: Int, at start: Int) -> [UInt32] {
        var bits = bits(ofPage: subframe, NavigationField.lnavOthers, count: 240)
        bits.set(0x8B, 0, 8)
        // The start of the next subframe.
        bits.set((start + 6) % Self.week / 6, 24, 17)
        bits.set(subframe, 43, 3)
        var last: UInt32 = 0
        return (0..<10).map { index in
            // u-blox stores what the parity needs of the word before in the highest bit.
            let word =
                UInt32(bits.number(24 * index, 24)) << 6 | ((last >> 1 ^ last) & 1) << 31
            last = LNAVSubframe.parity(of: word)
            return word | last
        }
    }

    /// Returns a word of a satellite of Galileo, whose page begins at a time in seconds since
    /// 6 January 1980, in GPS time. Beside the ephemeris, words have the time, and differences of times,
    /// which are 0.
    package func inavWord(_ type: Int, at start: Int) -> INAVWord {
        var word = 1...5 ~= type ? bits(ofPage: type, count: 128) : BitArray(count: 128)
        let (week, second) = (start / Self.week - 1024, start % Self.week)
        func set(week position: Int, _ width: Int, second other: Int? = nil) {
            word.set(week, position, width)
            if let other { word.set(second, other, 20) }
        }
        word.set(type, 0, 6)
        if 1...4 ~= type { word.set(numbers[.iode], 6, 10) }
        switch type {
        case 0:
            // The time is present.
            word.set(2, 6, 2)
            set(week: 96, 12, second: 108)
        case 4: word.set(Int(satellite.svid), 16, 6)
        case 5: set(week: 73, 12, second: 85)
        case 6:
            let day = CalendarDate(daysSince1970: GPSTime.firstDay + start / 86_400) ?? .unixEpoch
            let leapSeconds = GPSTime.leapSeconds(on: day)
            word.set(leapSeconds, 62, 8)
            set(week: 78, 8)
            // No change of the leap seconds is announced.
            set(week: 86, 8)
            word.set(1, 94, 3)
            word.set(leapSeconds, 97, 8)
            word.set(second, 105, 20)
        case 10: set(week: 122, 6)
        default: break
        }
        func half(_ start: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: word.number(start, 64))
        }
        return INAVWord(high: half(0), low: half(64))
    }

    private func fdma(_ string: Int, frame: Int) -> [UInt32] {
        var bits = bits(ofPage: string, count: 96)
        bits.set(string, 1, 4)
        if string == 4 { bits.set(Int(satellite.svid), 70, 5) }
        let (syndrome, parity) = NavigationFrame.hammingSums(bits.string)
        bits.set(syndrome, 78, 7)
        bits.set((syndrome.nonzeroBitCount + (parity ? 1 : 0)) & 1, 77, 1)
        return (0..<3).map { UInt32(bits.number(32 * $0, 32)) } + [UInt32(frame & 0xFFFF) << 16 | 1]
    }

    private func d1(_ subframe: Int, at start: Int) -> [UInt32] {
        var bits = bits(ofPage: subframe, count: 300)
        // BeiDou's time is 14 s behind GPS's.
        let second = (start - 14 + Self.week) % Self.week
        bits.set(0x712, 0, 11)
        bits.set(subframe, 15, 3)
        bits.set(second >> 12, 18, 8)
        bits.set(second & 0xFFF, 30, 12)
        for half in 1..<20 {
            let (data, check) = NavigationFrame.codeOfBeiDou(half)
            bits.set(
                bits.checksum(of: Array(data..<data + 11), 0b10011, width: 4), check, 4)
        }
        return (0..<10).map { UInt32(bits.number(30 * $0, 30)) }
    }
}

extension INAVPage {
    /// The types of the words that a simulated satellite sends on E1-B in 30 s.
    package static let types = [2, 4, 6, 0, 10, 0, 0, 0, 0, 0, 1, 3, 5, 0, 0]

    /// The message in which a receiver reports the page of a satellite.
    package func message(of svid: UInt8) -> RxmSFRBX {
        var page = BitArray(count: 256)
        for index in 0..<112 { page.set(Int(word.number(index, 1)), 2 + index, 1) }
        page.set(1, 128, 1)
        page.set(Int(word.number(112, 16)), 130, 16)
        page.set(Int(truncatingIfNeeded: osnma & 0xFF_FFFF_FFFF), 146, 40)
        let covered = Array(0..<114) + Array(128..<210)
        page.set(page.checksum(of: covered, BitString.crc24Q, width: 24), 210, 24)
        var frame = RxmSFRBX()
        frame.gnssID = UInt8(Constellation.galileo.gnssID)
        frame.svid = svid
        frame.signalID = 1
        frame.set((0..<8).map { UInt32(page.number(32 * $0, 32)) })
        return frame
    }
}

extension RxmSFRBX {
    fileprivate mutating func set(_ words: [UInt32]) {
        self.words = words.map { bits in
            var word = Word()
            word.bits = bits
            return word
        }
    }
}

/// Bits that can be set.
private struct BitArray {
    private var bits: [Bool]

    init(count: Int) { bits = [Bool](repeating: false, count: count) }

    /// The bits as they are read.
    var string: BitString {
        bits.reduce(into: BitString()) { $0.append($1 ? 1 : 0, width: 1) }
    }

    mutating func set(_ number: Int, _ start: Int, _ width: Int) {
        for index in 0..<width { bits[start + index] = number >> (width - 1 - index) & 1 == 1 }
    }

    func number(_ start: Int, _ width: Int) -> Int {
        bits[start..<start + width].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }

    /// Returns the check bits that follow some bits.
    func checksum(of indices: [Int], _ polynomial: UInt32, width: Int) -> Int {
        let string = indices.reduce(into: BitString()) { $0.append(bits[$1] ? 1 : 0, width: 1) }
        return Int(string.remainder(of: 0..<indices.count + width, by: polynomial))
    }
}
