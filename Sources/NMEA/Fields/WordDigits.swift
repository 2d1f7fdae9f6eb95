// SPDX-License-Identifier: MIT

/// Reads decimal digits in parallel from one word, the first character in its lowest byte. If they
/// are read one by one, decode + fix takes 9 % more instructions.
enum WordDigits {
    /// The number in the first 0 to 7 characters (0 for none); `nil` if one of them is not a digit.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> Int? {
        // Moves the values to the last bytes, with zeros in front. Two shifts, since none may be by
        // 64.
        let shift = UInt64(truncatingIfNeeded: 56 &- 8 &* count)
        let values = ((word ^ 0x3030_3030_3030_3030) &<< 8) &<< shift
        return areDigits(values) ? number(values) : nil
    }

    /// The number in 1 to 8 characters with at most one point, ignoring the point, and the number
    /// of digits after it; `nil` for anything else.
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
            // The digits before the point move up over it.
            let front = UInt64.max &>> behind
            values = (values & ~front) | (values << 8 & front)
        }
        guard areDigits(values) else { return nil }
        return (number(values), Int(truncatingIfNeeded: behind >> 3))
    }

    /// The numbers in the first six characters, in pairs: `hhmmss`, `ddmmyy`.
    @inline(__always)
    static func threePairs(_ word: UInt64) -> (Int, Int, Int)? {
        let values = (word ^ 0x3030_3030_3030_3030) << 16
        guard areDigits(values) else { return nil }
        let pairs = values &* 10 &+ values >> 8
        return (Int(pairs >> 16 & 0xFF), Int(pairs >> 32 & 0xFF), Int(pairs >> 48 & 0xFF))
    }

    /// Whether each byte is a digit's value: 9 plus 0x76 stays below the high bit, 10 plus 0x76
    /// does not.
    @inline(__always)
    static func areDigits(_ values: UInt64) -> Bool {
        (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0
    }

    /// The number made of the values of eight digits.
    @inline(__always)
    private static func number(_ values: UInt64) -> Int {
        // First pairs, then groups of four: the sum needed is in the upper half of each product.
        let pairs = (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
        let even = (pairs & 0xFF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs >> 16 & 0xFF_0000_00FF) &* 0x0000_2710_0000_0001
        return Int(truncatingIfNeeded: (even &+ odd) >> 32)
    }
}
