// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import UBX

extension Exercise {
    /// Navigation messages with any content and right checksums. A message of which a bit was changed
    /// has no effect, and each ephemeris is the same after it was written to RINEX and read.
    package static let navigation = Exercise(name: "navigation") { input throws(Broken) in
        var source = ByteSource(input)
        let flip = Int(source.byte()) << 1 | source.number(below: 2)
        var (decoder, damaged) = (NavigationDecoder(), NavigationDecoder())
        var (results, others): ([Ephemeris], [Ephemeris]) = ([], [])
        var time = NavTIMEGPS()
        (time.week, time.validity) = (2400, NavTIMEGPS.Validity(rawValue: 7))
        push(time.frame, &decoder, &results)
        push(time.frame, &damaged, &others)
        while !source.isEmpty {
            let message = NavigationSource.message(&source)
            push(message.frame, &decoder, &results)
            push(message.frame, &damaged, &others)
            var changed = message
            let (word, bit) = (flip / 32 % message.words.count, UInt32(flip % 32))
            guard NavigationSource.isProtected(message, word: word, bit: bit) else { continue }
            changed.words[word].bits ^= 1 << bit
            push(changed.frame, &damaged, &others)
        }
        try expect(results == others, "a message with bit \(flip) changed has an effect")
        for ephemeris in results {
            var reader = RINEXNavigation()
            _ = reader.push(String(repeating: " ", count: 60) + "END OF HEADER")
            let text = TextBuffer.text { $0.append(rinex: ephemeris, isVersion4: false) }
            for line in text.split(separator: "\n") { _ = reader.push(String(line)) }
            let read = reader.finish()
            try expect(read?.toe == ephemeris.toe, "\(text) has another time")
            try expect(
                read?.value(.rootA) == ephemeris.value(.rootA) && read?.toc == ephemeris.toc,
                "\(text) has other numbers")
        }
    }

    private static func push(
        _ bytes: [UInt8], _ decoder: inout NavigationDecoder, _ results: inout [Ephemeris]
    ) {
        guard let frame = UBXFrame(bytes.span) else { return }
        decoder.push(frame) { if case .ephemeris(let ephemeris) = $0 { results.append(ephemeris) } }
    }
}

/// Makes navigation messages as satellites send them, by the interface documents of the systems.
private enum NavigationSource {
    /// Returns a message with any content, from one of a few satellites so that some are of one
    /// ephemeris. Half of them have a possible orbit.
    static func message(_ source: inout ByteSource) -> RxmSFRBX {
        var message = RxmSFRBX()
        let kind = source.number(below: 5)
        message.gnssID = [0, 2, 6, 3, 2][kind]
        message.signalID = kind == 4 ? 3 : 0
        message.svid = UInt8(1 + source.number(below: 2)) + (kind == 3 ? 5 : 0)
        message.frequencyID = 7
        let page = 1 + UInt32(source.number(below: 5))
        // Few bytes decide, so that an input contains whole ephemerides.
        let fill = UInt32(source.byte())
        switch kind {
        case 0: message.words = lnav(page, fill)
        case 2: message.words = glonass(page, fill, message.svid)
        case 3: message.words = beiDou(page, fill)
        default: message.words = galileo(page, fill, message.svid, isFNAV: kind == 4)
        }
        return message
    }

    /// Whether a change of a bit must be noticed: others are spare, or not protected.
    static func isProtected(_ message: RxmSFRBX, word: Int, bit: UInt32) -> Bool {
        switch (message.gnssID, message.signalID) {
        case (0, _): true
        case (2, 3): word < 7 || bit > 17
        case (2, _): ![3, 6, 7].contains(word) && (word != 3 || bit > 13)
        case (6, _): word < 2 || word == 2 && bit > 10
        default: word > 0 && bit < 30
        }
    }

    private static func words(_ bits: BitString, width: Int) -> [RxmSFRBX.Word] {
        stride(from: 0, to: bits.count, by: width).map {
            var word = RxmSFRBX.Word()
            word.bits = UInt32(bits.number($0, width))
            return word
        }
    }

    /// Returns `count` bits that begin with a value in `width` bits, and repeat `fill`.
    private static func bits(_ parts: [(UInt32, Int)], _ fill: UInt32, _ count: Int) -> BitString {
        var bits = BitString()
        for (number, width) in parts { bits.append(number, width: width) }
        while bits.count < count { bits.append(fill, width: min(8, count - bits.count)) }
        return bits
    }

    /// The data bits that each parity bit of a word covers, and those after an inverted word: here,
    /// the word before ended in zeros.
    private static let lnavParity: [[Int]] = [
        [1, 2, 3, 5, 6, 10, 11, 12, 13, 14, 17, 18, 20, 23],
        [2, 3, 4, 6, 7, 11, 12, 13, 14, 15, 18, 19, 21, 24],
        [1, 3, 4, 5, 7, 8, 12, 13, 14, 15, 16, 19, 20, 22],
        [2, 4, 5, 6, 8, 9, 13, 14, 15, 16, 17, 20, 21, 23],
        [1, 3, 5, 6, 7, 9, 10, 14, 15, 16, 17, 18, 21, 22, 24],
        [3, 5, 6, 8, 9, 10, 11, 13, 15, 19, 22, 23, 24],
    ]

    private static func lnav(_ page: UInt32, _ fill: UInt32) -> [RxmSFRBX.Word] {
        var data = bits(
            [(0x8B, 8), (0, 16), (100, 17), (0, 2), (page, 3), (0, 2), (fill, 8)], fill, 240)
        if page == 1 {
            data = bits([(0x8B, 8), (0, 16), (100, 17), (0, 2), (1, 3), (0, 2)], fill, 240)
        }
        if page == 2 {
            // An eccentricity below 0.02 and the root of an axis of 26,560 km.
            data = bits(
                [
                    (0x8B, 8), (0, 16), (100, 17), (0, 2), (2, 3), (0, 2), (fill, 8), (fill, 32),
                    (fill, 32), (fill, 8), (fill, 8), (0x0100_0000 | fill, 32), (fill, 16),
                    (0xA10D_0000 | fill, 32), (fill, 16),
                ], fill, 240)
        }
        return (0..<10).map { index in
            let word = (0..<24).reduce(into: UInt32(0)) { word, bit in
                if data[index * 24 + bit] { word |= 1 << UInt32(29 - bit) }
            }
            let parity = lnavParity.reduce(UInt32(0)) { parity, covered in
                let isOdd = !covered.count { data[index * 24 + $0 - 1] }.isMultiple(of: 2)
                return parity << 1 | (isOdd ? 1 : 0)
            }
            var result = RxmSFRBX.Word()
            result.bits = word | parity
            return result
        }
    }

    private static func galileo(_ page: UInt32, _ fill: UInt32, _ svid: UInt8, isFNAV: Bool)
        -> [RxmSFRBX.Word]
    {
        func crc(_ bits: BitString, _ indices: [Int]) -> UInt32 {
            var remainder: UInt32 = 0
            for index in indices {
                remainder = remainder << 1 | (bits[index] ? 1 : 0)
                if remainder >> 24 == 1 { remainder ^= 0x186_4CFB }
            }
            for _ in 0..<24 {
                remainder <<= 1
                if remainder >> 24 == 1 { remainder ^= 0x186_4CFB }
            }
            return remainder
        }
        guard !isFNAV else {
            var page = bits([(page, 6), (UInt32(svid), 6), (fill, 10)], fill, 214)
            page.append(crc(page, Array(0..<214)), width: 24)
            page.append(0, width: 18)
            return words(page, width: 32)
        }
        var half = bits([(0, 2), (page, 6), (fill, 10), (UInt32(svid), 6)], fill, 114)
        half.append(0, width: 14)
        half.append(2, width: 2)
        while half.count < 210 { half.append(fill, width: min(8, 210 - half.count)) }
        half.append(crc(half, Array(0..<114) + Array(128..<210)), width: 24)
        half.append(0, width: 22)
        return words(half, width: 32)
    }

    private static func glonass(_ page: UInt32, _ fill: UInt32, _ svid: UInt8)
        -> [RxmSFRBX.Word]
    {
        // 25,500 km from the centre of the earth on one axis; else near 0.
        let position: UInt32 = page == 1 ? 25_500 << 11 : fill
        var data = bits(
            [(page, 5), (fill, 16), (fill, 24), (0, 5), (position, 27)], 0, 77)
        if page == 4 {
            data = bits([(page, 5), (fill, 65), (UInt32(svid), 5), (0, 2)], 0, 77)
        }
        // Check bit n covers the data bits whose places, without powers of two, have bit n.
        let places = (3...85).filter { $0.nonzeroBitCount > 1 }
        var check: UInt32 = 0
        for (number, place) in zip(9...85, places) where data[85 - number] {
            check ^= UInt32(place)
        }
        let ones = (0..<77).count { data[$0] } + check.nonzeroBitCount
        data.append(UInt32(ones & 1), width: 1)
        data.append(check, width: 7)
        data.append(0, width: 11)
        return words(data, width: 32) + words(bits([(fill, 32)], 0, 32), width: 32)
    }

    private static func beiDou(_ page: UInt32, _ fill: UInt32) -> [RxmSFRBX.Word] {
        func check(_ data: UInt32) -> UInt32 {
            var remainder = data << 4
            for bit in (4..<15).reversed() where remainder >> UInt32(bit) & 1 == 1 {
                remainder ^= 0b10011 << UInt32(bit - 4)
            }
            return remainder
        }
        return (0..<10).map { index in
            var first = (fill << 3 | fill >> 5) & 0x7FF
            var second = first
            var word = RxmSFRBX.Word()
            if index == 0 {
                second = page << 8
                word.bits = 0x712 << 19 | second << 4 | check(second)
                return word
            }
            // The second of week: six for each subframe.
            if index == 1 { (first, second) = (3 * (page - 1), 0) }
            word.bits = first << 19 | second << 8 | check(first) << 4 | check(second)
            return word
        }
    }
}
