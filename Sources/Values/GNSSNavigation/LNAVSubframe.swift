// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// A subframe of GPS's or QZSS's message on L1 C/A whose parity is right.
package struct LNAVSubframe: Sendable {
    /// Numbers of one width that follow one another.
    package enum List: Sendable {
        /// Of satellites 1 to 32: its type, and whether its code P is encrypted.
        case configurations
        /// The health of satellites 1 to 24 or, beside the configurations, 25 to 32.
        case healths
    }

    package let satellite: SatelliteID
    /// 1 to 5.
    package let number: Int
    /// The contents of subframe 4 or 5: the almanac of satellite 1 to 32, or another page; `nil` for
    /// the other subframes.
    package let contents: Int?
    let bits: BitString
    /// The number of the page in the tables of `NavigationLayout`.
    let page: Int

    /// Reads a message. Returns `nil` for other messages, and damaged ones.
    package init?(_ frame: RxmSFRBX) {
        guard let constellation = Constellation(gnssID: Int(frame.gnssID)),
            constellation == .gps || constellation == .qzss, frame.signalID == 0,
            let satellite = SatelliteID(constellation, Int(frame.svid)),
            let bits = Self.bits(of: frame.words.map(\.bits))
        else { return nil }
        (self.satellite, self.bits, number) = (satellite, bits, bits.number(43, 3))
        switch number {
        case 1...3: (contents, page) = (nil, number)
        case 4, 5:
            let id = bits.number(50, 6)
            (contents, page) = (id, 1...32 ~= id ? Self.almanac : id)
        default: return nil
        }
    }

    /// The page of almanacs in the tables, whatever satellite they describe.
    static let almanac = 64
    /// The page with the ionosphere and UTC.
    static let parameters = 56

    private static let lists: [(page: Int, list: List, start: Int, width: Int, count: Int)] = [
        (51, .healths, 72, 6, 24), (63, .configurations, 56, 4, 32), (63, .healths, 186, 6, 8),
    ]

    /// The start of the next subframe, in seconds of the week.
    package var end: Int { Self.end(bits) }

    static func end(_ bits: BitString) -> Int { bits.number(24, 17) * 6 }

    /// A number as it was sent; `nil` if the subframe does not contain it.
    package subscript(parameter: NavigationParameter) -> Int? {
        field(parameter).map { $0.number(in: bits) }
    }

    /// A number in the unit of the interface document, with angles in semicircles; `nil` if the
    /// subframe does not contain it.
    package func value(_ parameter: NavigationParameter) -> Double? {
        field(parameter).map { Double($0.number(in: bits)) * $0.unit }
    }

    private func field(_ parameter: NavigationParameter) -> NavigationField? {
        let tables = [
            NavigationField.lnav, NavigationField.lnavParameters, NavigationField.lnavOthers,
        ]
        for table in tables {
            for field in table where field.parameter == parameter {
                if field.parts.allSatisfy({ $0.page == page }) { return field }
            }
        }
        return nil
    }

    /// The numbers of a list; empty if the subframe does not contain it.
    package func numbers(_ list: List) -> [Int] {
        guard let place = Self.lists.first(where: { $0.page == page && $0.list == list }) else {
            return []
        }
        return numbers(from: place.start, width: place.width, count: place.count)
    }

    private func numbers(from start: Int, width: Int, count: Int) -> [Int] {
        (0..<count).map { bits.number(start + $0 * width, width) }
    }

    /// The corrections of ranges by satellite, in 0.3 m, without those that are not available. They
    /// are encrypted if `availability` is 1. A satellite does not send its own.
    package var corrections: [(satellite: Int, correction: Int)] {
        guard page == 52, let availability = self[.availability], availability < 2 else {
            return []
        }
        let own = Int(satellite.svid)
        return numbers(from: 58, width: 6, count: 30).enumerated().compactMap { index, bits in
            let correction = bits < 32 ? bits : bits - 64
            return correction == -32 ? nil : (index + (index + 1 < own ? 1 : 2), correction)
        }
    }

    /// A message to users; `nil` if the subframe does not contain it.
    package var text: String? {
        guard page == 55 else { return nil }
        let characters = numbers(from: 56, width: 8, count: 22).prefix { $0 != 0 }
        let scalars = characters.compactMap { Unicode.Scalar($0 == 0xF8 ? 0xB0 : UInt32($0)) }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns the data bits of a subframe; `nil` if it is damaged.
    private static func bits(of words: [UInt32]) -> BitString? {
        // CNAV also has ten words, but its preamble is at another place.
        guard words.count >= 10, words[0] >> 22 & 0xFF == 0x8B else { return nil }
        let words = words.prefix(10)
        guard words.allSatisfy({ parity(of: $0) == $0 & 0x3F }) else { return nil }
        return words.reduce(into: BitString()) { $0.append($1 >> 6, width: 24) }
    }

    /// The bits of a word that each of its six parity bits covers. u-blox reverts the inversion by
    /// the previous word, and stores in the two highest bits what the parity needs of that word.
    private static let covered: [UInt32] = [
        0xBB1F_3480, 0x5D8F_9A40, 0xAEC7_CD00, 0x5763_E680, 0x6BB1_F340, 0x8B7A_89C0,
    ]

    /// The parity bits of a word.
    static func parity(of word: UInt32) -> UInt32 {
        covered.reduce(0) { $0 << 1 | UInt32((word & $1).nonzeroBitCount & 1) }
    }
}
