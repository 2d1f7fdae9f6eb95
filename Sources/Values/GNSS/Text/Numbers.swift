// SPDX-License-Identifier: MIT

/// The eight decimal digits of a number below 100 000 000, computed in parallel in one word.
struct Digits {
    /// The exclusive upper limit of the numbers that can be converted.
    static let limit: UInt64 = 100_000_000

    /// The digits, one in each byte, with the first digit in the lowest byte.
    private let values: UInt64

    @inline(__always)
    init(_ number: UInt64) {
        // The number is divided into two halves of four digits, then four pairs, then eight digits.
        // The factors are reciprocals that are exact for the size of each part.
        let fours = (number / 10_000) & 0xFFFF | (number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        values = tens | (twos &- tens &* 10) << 8
    }

    /// The number of digits without leading zeros.
    @inline(__always)
    var significant: Int { 8 &- values.trailingZeroBitCount / 8 }

    /// Returns the last `count` digits (1 to 8) as ASCII characters, with the first character in
    /// the lowest byte.
    @inline(__always)
    func last(_ count: Int) -> UInt64 {
        (values | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }
}
