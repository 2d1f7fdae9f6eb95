// SPDX-License-Identifier: MIT
import GNSS

extension FixQuality {
    /// The letters of the mode indicators of NMEA 2.3 and later, in the order of the quality
    /// numbers in GGA.
    private static let modeLetters: InlineArray<9, UInt8> = [
        UInt8(ascii: "N"), UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "P"),
        UInt8(ascii: "R"), UInt8(ascii: "F"), UInt8(ascii: "E"), UInt8(ascii: "M"),
        UInt8(ascii: "S"),
    ]

    /// Creates the quality for a mode letter. Returns `nil` for an unknown letter, because some
    /// receivers send their own letters.
    init?(modeLetter: UInt8?) {
        let letters = Self.modeLetters.span
        guard let modeLetter,
            let index = letters.indices.first(where: { letters[$0] == modeLetter })
        else { return nil }
        self.init(rawValue: UInt8(index))
    }

    /// The mode letter of the quality.
    var modeLetter: UInt8 { Self.modeLetters[Int(rawValue)] }
}
