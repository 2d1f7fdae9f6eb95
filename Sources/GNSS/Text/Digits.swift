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

    /// How many are left without the zeros in front.
    @inline(__always)
    var significant: Int { 8 &- values.trailingZeroBitCount / 8 }

    /// The last 1 to 8 digits as characters, the first of them in the lowest byte.
    @inline(__always)
    func last(_ count: Int) -> UInt64 {
        (values | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }
}

/// A number from 0 to 999 as text, as most of those that are written are. Without it `convert --to
/// json` takes 12 % more instructions.
struct SmallNumber {
    /// The characters, the first in the lowest byte.
    let text: UInt32

    /// How many they are.
    let count: Int

    @inline(__always)
    init?(_ number: Int) {
        guard 0..<1000 ~= number else { return nil }
        let number = UInt32(truncatingIfNeeded: number)
        count = number < 10 ? 1 : number < 100 ? 2 : 3
        // The factor is a reciprocal of ten, exact up to 1028.
        let tens = (number &* 205) >> 11
        let hundreds = (tens &* 205) >> 11
        let digits = hundreds | (tens &- hundreds &* 10) << 8 | (number &- tens &* 10) << 16
        text = (digits | 0x30_3030) >> UInt32(truncatingIfNeeded: 8 &* (3 &- count))
    }
}
