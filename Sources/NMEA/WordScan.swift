// SPDX-License-Identifier: MIT

/// Looking at eight bytes at a time. Loads are checked against the span's bounds.
enum WordScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The first index from `start` on whose byte cannot stand in a sentence's body.
    static func endOfBody(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var i = start
        let raw = bytes.bytes
        while i + 8 <= bytes.count {
            let word = raw.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self)
            let control = (word &- 0x20 &* ones) & ~word
            let odd =
                control | word | zeros(word ^ 0x7F &* ones) | zeros(word ^ 0x24 &* ones)
                | zeros(word ^ 0x21 &* ones)
            // A borrow can only flag bytes above one that is flagged rightly: the lowest is right.
            if odd & highs != 0 { return i + (odd & highs).littleEndian.trailingZeroBitCount / 8 }
            i += 8
        }
        while i < bytes.count, isBody(bytes[i]) { i += 1 }
        return i
    }

    /// XOR of the bytes, and how many commas are among them.
    static func sum(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> (UInt8, commas: Int) {
        var i = start
        var folded: UInt64 = 0
        var commas = 0
        let raw = bytes.bytes
        while i + 8 <= end {
            let word = raw.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self)
            folded ^= word
            commas += exactZeros(word ^ 0x2C &* ones).nonzeroBitCount
            i += 8
        }
        folded ^= folded >> 32
        folded ^= folded >> 16
        folded ^= folded >> 8
        var sum = UInt8(truncatingIfNeeded: folded)
        while i < end {
            sum ^= bytes[i]
            if bytes[i] == UInt8(ascii: ",") { commas += 1 }
            i += 1
        }
        return (sum, commas)
    }

    private static func isBody(_ byte: UInt8) -> Bool {
        0x20...0x7E ~= byte && byte != UInt8(ascii: "$") && byte != UInt8(ascii: "!")
    }

    /// The high bit of each zero byte, and perhaps of bytes above one.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

    /// The high bit of each zero byte, and of no other.
    private static func exactZeros(_ word: UInt64) -> UInt64 {
        ~(((word & ~highs) &+ ~highs) | word | ~highs)
    }
}
