// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The messages with ephemerides that satellites send.
package enum NavigationMessage: UInt8, CaseIterable, Sendable {
    /// GPS and QZSS on L1 C/A.
    case lnav
    /// Galileo on E1-B and E5b.
    case inav
    /// Galileo on E5a.
    case fnav
    /// GLONASS on L1OF and L2OF.
    case fdma
    /// BeiDou's satellites in medium and inclined orbits, on B1I, B2I and B3I.
    case d1
    /// BeiDou's geostationary satellites, on the same signals.
    case d2
}

/// A subframe, page or string of a navigation message whose checksums are right.
struct NavigationFrame {
    let satellite: SatelliteID
    let message: NavigationMessage
    /// The number of the subframe, page, word type or string in the tables of `NavigationLayout`.
    let page: Int
    let bits: BitString
    /// Equal in all pages of an ephemeris: its issue, or the time or number of its frame; `nil` if
    /// the page belongs to any ephemeris.
    let tag: Int?
    /// The frequency channel of a GLONASS satellite. For Galileo, RINEX's bit of the signal: 1 for
    /// E1-B, 4 for E5b. 0 for others.
    let channel: Int

    /// Reads a message. Returns `nil` if it is damaged, or has no ephemeris and no system
    /// parameters.
    init?(_ frame: RxmSFRBX) {
        guard let constellation = Constellation(gnssID: Int(frame.gnssID)),
            let id = SatelliteID(constellation, Int(frame.svid))
        else { return nil }
        let words = frame.words.map(\.bits)
        let read: (NavigationMessage, page: Int, BitString, tag: Int?)?
        switch (constellation, frame.signalID) {
        case (.gps, 0), (.qzss, 0): read = Self.lnav(frame)
        case (.galileo, 0), (.galileo, 1), (.galileo, 5): read = Self.inav(words, frame.svid)
        case (.galileo, 3): read = Self.fnav(words, frame.svid)
        case (.glonass, 0), (.glonass, 2): read = Self.fdma(words, frame.svid)
        case (.beiDou, 0...4), (.beiDou, 10): read = Self.beiDou(words, Int(frame.svid))
        default: read = nil
        }
        guard let read else { return nil }
        satellite = id
        (message, page, bits, tag) = read
        channel =
            switch message {
            case .fdma: Int(frame.frequencyID) - 7
            case .inav: frame.signalID == 5 ? 4 : 1
            case .lnav, .fnav, .d1, .d2: 0
            }
    }

    private typealias Read = (NavigationMessage, page: Int, BitString, tag: Int?)

    private static func joined(_ words: some Sequence<UInt32>, shift: UInt32, width: Int)
        -> BitString
    {
        words.reduce(into: BitString()) { $0.append($1 >> shift, width: width) }
    }

    private static func lnav(_ frame: RxmSFRBX) -> Read? {
        guard let subframe = LNAVSubframe(frame) else { return nil }
        let bits = subframe.bits
        switch (subframe.number, subframe.page) {
        case (1, _): return (.lnav, 1, bits, subframe[.iodc].map { $0 & 0xFF })
        case (2, _), (3, _): return (.lnav, subframe.number, bits, subframe[.iode])
        case (let number, LNAVSubframe.parameters)
        where number == 4 || subframe.satellite.constellation == .qzss:
            return (.lnav, LNAVSubframe.parameters, bits, nil)
        default: return nil
        }
    }

    private static func inav(_ words: [UInt32], _ svid: UInt8) -> Read? {
        guard let word = INAVPage(words)?.word else { return nil }
        let bits = word.bits
        switch word.type {
        case 4 where bits.number(16, 6) != svid: return nil
        case let type where 1...4 ~= type: return (.inav, type, bits, bits.number(6, 10))
        case let type where [5, 6, 10].contains(type): return (.inav, type, bits, nil)
        default: return nil
        }
    }

    private static func fnav(_ words: [UInt32], _ svid: UInt8) -> Read? {
        guard words.count >= 8 else { return nil }
        let bits = joined(words.prefix(8), shift: 0, width: 32)
        guard bits.remainder(of: 0..<238, by: BitString.crc24Q) == 0 else { return nil }
        switch bits.number(0, 6) {
        case 1:
            return bits.number(6, 6) == svid ? (.fnav, 1, bits, bits.number(12, 10)) : nil
        case let type where 2...4 ~= type: return (.fnav, type, bits, bits.number(6, 10))
        default: return nil
        }
    }

    private static func fdma(_ words: [UInt32], _ svid: UInt8) -> Read? {
        guard words.count >= 4 else { return nil }
        let bits = joined(words.prefix(3), shift: 0, width: 32)
        guard hasHammingCode(bits) else { return nil }
        let string = bits.number(1, 4)
        if string == 4, bits.number(70, 5) != svid { return nil }
        // The last word is the number of the superframe and of the frame.
        return 1...5 ~= string ? (.fdma, string, bits, Int(words[3])) : nil
    }

    /// Returns whether the check bits of a GLONASS string, its last eight, are right. The first
    /// seven are a Hamming code, in which a bit counts by its position; the last one is the parity.
    private static func hasHammingCode(_ bits: BitString) -> Bool {
        var (syndrome, parity) = hammingSums(bits)
        for number in 1...8 where bits[85 - number] {
            if number < 8 { syndrome ^= 1 << (number - 1) }
            parity.toggle()
        }
        return syndrome == 0 && !parity
    }

    /// The sums of the data bits of a GLONASS string: of the positions of those that are set, and of
    /// themselves.
    static func hammingSums(_ bits: BitString) -> (syndrome: Int, parity: Bool) {
        var (position, syndrome, parity) = (2, 0, false)
        for number in 9...85 {
            position += 1
            if position.nonzeroBitCount == 1 { position += 1 }
            guard bits[85 - number] else { continue }
            syndrome ^= position
            parity.toggle()
        }
        return (syndrome, parity)
    }

    private static func beiDou(_ words: [UInt32], _ svid: Int) -> Read? {
        guard words.count >= 10, words.prefix(10).allSatisfy({ $0 >> 30 == 0 }) else { return nil }
        let bits = joined(words.prefix(10), shift: 0, width: 30)
        guard bits.number(0, 11) == 0x712, hasBCHCode(bits) else { return nil }
        let (subframe, second) = (
            bits.number(15, 3), bits.number(18, 8) << 12 | bits.number(30, 12)
        )
        if 6...58 ~= svid {
            if subframe == 5, bits.number(43, 7) == 10 { return (.d1, 10, bits, nil) }
            return 1...3 ~= subframe ? (.d1, subframe, bits, second - 6 * (subframe - 1)) : nil
        }
        let page = bits.number(42, 4)
        return subframe == 1 && 1...10 ~= page ? (.d2, page, bits, second - 3 * (page - 1)) : nil
    }

    /// Returns whether the codes of a BeiDou subframe are right. Each word is two codes of eleven
    /// bits, whose four check bits follow both; the first half of the first word has none.
    private static func hasBCHCode(_ bits: BitString) -> Bool {
        codesOfBeiDou.allSatisfy { bits.remainder(of: $0, by: 0b10011) == 0 }
    }

    /// The bits of each code.
    private static let codesOfBeiDou = (1..<20).map { half in
        let (data, check) = codeOfBeiDou(half)
        return Array(data..<data + 11) + Array(check..<check + 4)
    }

    /// The first data bit and the first check bit of half a word. Half 0 has no code.
    static func codeOfBeiDou(_ half: Int) -> (data: Int, check: Int) {
        let word = half / 2 * 30
        return half == 1 ? (15, 26) : (word + half % 2 * 11, word + 22 + half % 2 * 4)
    }
}
