// SPDX-License-Identifier: MIT

/// Decimal digits read side by side from one word, the first character in its lowest byte. Where they are read
/// one after the other, decode + fix takes 9 % more instructions.
enum WordDigits {
    /// The number that the first characters make, 0 to 7 of them (0 makes 0); `nil` where one of
    /// them is no digit.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> Int? {
        // The values in the last bytes, zeros in front. In two steps: no shift is by 64.
        let shift = UInt64(truncatingIfNeeded: 56 &- 8 &* count)
        let values = ((word ^ 0x3030_3030_3030_3030) &<< 8) &<< shift
        return areDigits(values) ? number(values) : nil
    }

    /// The number that 1 to 8 characters make with at most one point among them, the point left out, and
    /// how many digits stand behind it; `nil` for anything else.
    @inline(__always)
    static func decimal(_ word: UInt64, count: Int) -> (value: Int, decimals: Int)? {
        var values = (word ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        // A digit's fifth bit is 0, the point's is 1.
        let odd = values & 0x1010_1010_1010_1010
        var behind: UInt64 = 0
        if odd != 0 {
            behind = UInt64(truncatingIfNeeded: odd.leadingZeroBitCount) & 0x38
            let point = UInt8(truncatingIfNeeded: values &>> (behind ^ 0x38))
            guard point == UInt8(ascii: ".") ^ UInt8(ascii: "0"), count > 1 else { return nil }
            // The digits in front move up over the point.
            let front = UInt64.max &>> behind
            values = (values & ~front) | (values << 8 & front)
        }
        guard areDigits(values) else { return nil }
        return (number(values), Int(truncatingIfNeeded: behind >> 3))
    }

    /// The numbers that the first six characters make two by two: `hhmmss`, `ddmmyy`.
    @inline(__always)
    static func threePairs(_ word: UInt64) -> (Int, Int, Int)? {
        let values = (word ^ 0x3030_3030_3030_3030) << 16
        guard areDigits(values) else { return nil }
        let pairs = values &* 10 &+ values >> 8
        return (Int(pairs >> 16 & 0xFF), Int(pairs >> 32 & 0xFF), Int(pairs >> 48 & 0xFF))
    }

    /// Whether each byte is a digit's value: nine and 0x76 stay below the high bit, ten does not.
    @inline(__always)
    static func areDigits(_ values: UInt64) -> Bool {
        (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0
    }

    /// The number that eight digits' values make.
    @inline(__always)
    private static func number(_ values: UInt64) -> Int {
        // Two by two, then four by four: each product's wanted sum comes out in its upper half.
        let pairs = (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
        let even = (pairs & 0xFF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs >> 16 & 0xFF_0000_00FF) &* 0x0000_2710_0000_0001
        return Int(truncatingIfNeeded: (even &+ odd) >> 32)
    }
}
