// SPDX-License-Identifier: MIT

/// Reads up to eight decimal digits in parallel from one word. The first character is in the lowest
/// byte. Reading digits one by one would take 9 % more instructions for decoding and assembling
/// fixes.
enum WordDigits {
    /// Returns the number in the first 0 to 7 characters (0 for none); `nil` if one of them is not
    /// a digit.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> Int? {
        // This moves the values to the highest bytes and fills the lower bytes with leading zeros.
        // It uses two shifts, because a single shift by 64 is not valid.
        let shift = UInt64(truncatingIfNeeded: 56 &- 8 &* count)
        let values = ((word ^ 0x3030_3030_3030_3030) &<< 8) &<< shift
        return areDigits(values) ? number(values) : nil
    }

    /// Returns the digits of 1 to 8 characters as one integer, and the number of digits after the
    /// point, if there is one; `nil` for any other text.
    @inline(__always)
    static func decimal(_ word: UInt64, count: Int) -> (value: Int, decimals: Int)? {
        var values = (word ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        // Bit 4 is set in all digits and clear in the point.
        let odd = values & 0x1010_1010_1010_1010
        var behind: UInt64 = 0
        if odd != 0 {
            behind = UInt64(truncatingIfNeeded: odd.leadingZeroBitCount) & 0x38
            let point = UInt8(truncatingIfNeeded: values &>> (behind ^ 0x38))
            guard point == UInt8(ascii: ".") ^ UInt8(ascii: "0"), count > 1 else { return nil }
            // The digits before the point move up by one byte, to replace the point.
            let front = UInt64.max &>> behind
            values = (values & ~front) | (values << 8 & front)
        }
        guard areDigits(values) else { return nil }
        return (number(values), Int(truncatingIfNeeded: behind >> 3))
    }

    /// Returns the three two-digit numbers in the first six characters, such as `hhmmss` or
    /// `ddmmyy`; `nil` if one of the characters is not a digit.
    @inline(__always)
    static func threePairs(_ word: UInt64) -> (Int, Int, Int)? {
        let values = (word ^ 0x3030_3030_3030_3030) << 16
        guard areDigits(values) else { return nil }
        let pairs = values &* 10 &+ values >> 8
        return (Int(pairs >> 16 & 0xFF), Int(pairs >> 32 & 0xFF), Int(pairs >> 48 & 0xFF))
    }

    /// Returns whether each byte is 0 to 9. Adding 0x76 sets the high bit of a byte above 9.
    @inline(__always)
    static func areDigits(_ values: UInt64) -> Bool {
        (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the number with these eight digits: each byte is the value of a digit, and the first
    /// digit is in the lowest byte.
    @inline(__always)
    private static func number(_ values: UInt64) -> Int {
        // Combine pairs, then groups of four. The required sum is in the upper half of each
        // product.
        let pairs = (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
        let even = (pairs & 0xFF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs >> 16 & 0xFF_0000_00FF) &* 0x0000_2710_0000_0001
        return Int(truncatingIfNeeded: (even &+ odd) >> 32)
    }
}
