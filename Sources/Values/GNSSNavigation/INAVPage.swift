// SPDX-License-Identifier: MIT

/// The 128 bits of a word of Galileo's I/NAV message. Bit 0 is the first one.
package struct INAVWord: Hashable, Sendable {
    private let high, low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Returns `width` bits from `start`, at most 64. Bits beyond the end are 0.
    package func number(_ start: Int, _ width: Int) -> UInt64 {
        let end = start + width
        let bits =
            end <= 64 ? high >> (64 - end) : high << (end - 64) | low >> (128 - end)
        return width == 64 ? bits : bits & (1 << UInt64(width) - 1)
    }

    /// The word with the bits outside a range set to 0.
    package func keeping(_ range: Range<Int>) -> INAVWord {
        func mask(_ first: Int) -> UInt64 {
            let (start, end) = (range.lowerBound - first, range.upperBound - first)
            let fromStart: UInt64 = start <= 0 ? .max : start >= 64 ? 0 : .max >> start
            let toEnd: UInt64 = end >= 64 ? .max : end <= 0 ? 0 : .max << (64 - end)
            return fromStart & toEnd
        }
        return INAVWord(high: high & mask(0), low: low & mask(64))
    }

    /// The number of the word type, which says what the word contains.
    package var type: Int { Int(number(0, 6)) }

    var bits: BitString {
        var bits = BitString()
        for part in [high, low] { bits.append(long: part, width: 64) }
        return bits
    }
}

/// A page of Galileo's I/NAV message on E1-B or E5b, an even and an odd half, whose checksum is right.
package struct INAVPage: Hashable, Sendable {
    package let word: INAVWord

    /// On E1-B, the 40 bits of the field for authentication: `HKROOT` (8) and `MACK` (32).
    package let osnma: UInt64

    package init(word: INAVWord, osnma: UInt64) { (self.word, self.osnma) = (word, osnma) }

    /// Reads the eight words of `RXM-SFRBX`. Returns `nil` for an alert page, and if the page is
    /// damaged.
    package init?(_ words: [UInt32]) {
        guard words.count >= 8, words[0] >> 30 == 0, words[4] >> 30 == 2,
            Self.hasChecksum(words)
        else { return nil }
        let even = (
            UInt64(words[0]) << 32 | UInt64(words[1]), UInt64(words[2]) << 32 | UInt64(words[3])
        )
        word = INAVWord(
            high: even.0 << 2 | even.1 >> 62,
            low: even.1 << 2 & ~0xFFFF | UInt64(words[4] >> 14 & 0xFFFF))
        osnma = UInt64(words[4] & 0x3FFF) << 26 | UInt64(words[5] >> 6)
    }

    /// Returns whether the CRC-24Q of 114 bits of the even and 82 bits of the odd half, which follows
    /// them, is right.
    private static func hasChecksum(_ words: [UInt32]) -> Bool {
        var remainder: UInt32 = 0
        for (first, count) in [(0, 114), (4, 106)] {
            for index in 0..<count {
                let bit = words[first + index / 32] >> UInt32(31 - index % 32) & 1
                let next = remainder << 1 | bit
                remainder = next & 0x100_0000 == 0 ? next : next ^ BitString.crc24Q
            }
        }
        return remainder == 0
    }
}
