// SPDX-License-Identifier: MIT

/// The eight decimal digits of a number below 100 000 000, worked out side by side in one word.
struct Digits {
    /// Numbers are below it.
    static let limit: UInt64 = 100_000_000

    /// One digit a byte, the first in the lowest.
    private let values: UInt64

    @inline(__always)
    init(_ number: UInt64) {
        // Halves of four digits, then quarters of two, then eighths of one; the factors are
        // reciprocals, exact for what a lane can hold.
        let fours = (number / 10_000) & 0xFFFF | (number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        values = tens | (twos &- tens &* 10) << 8
    }

    /// The number of digits without leading zeros.
    @inline(__always)
    var significant: Int { 8 &- values.trailingZeroBitCount / 8 }

    /// The last 1 to 8 digits as characters, the first of them in the lowest byte.
    @inline(__always)
    func last(_ count: Int) -> UInt64 {
        (values | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }
}
