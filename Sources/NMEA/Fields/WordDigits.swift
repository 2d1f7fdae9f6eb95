// SPDX-License-Identifier: MIT

/// Decimal digits read side by side from one word, the first character in its lowest byte.
enum WordDigits {
    /// The number that the first characters make, 0 to 7 of them (0 makes 0); `nil` where one of
    /// them is no digit.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> Int? {
        let values = digits(word, count: count)
        guard areDigits(values) else { return nil }
        return eight(values)
    }

    /// The number that eight digits' values make.
    @inline(__always)
    private static func eight(_ values: UInt64) -> Int {
        // Two by two, then four by four: each product's wanted sum comes out in its upper half.
        let pairs = pairs(values)
        let even = (pairs & 0xFF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs >> 16 & 0xFF_0000_00FF) &* 0x0000_2710_0000_0001
        return Int(truncatingIfNeeded: (even &+ odd) >> 32)
    }

    /// The number that 2 to 8 characters make with a point among them, the point left out, and how many
    /// digits stand behind it; `nil` for anything else.
    @inline(__always)
    static func decimal(_ word: UInt64, count: Int) -> (value: Int, decimals: Int)? {
        // Values in the last bytes, zeros in front. A digit's fifth bit is 0, the point's is 1.
        let values = (word ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let odd = values & 0x1010_1010_1010_1010
        guard odd != 0 else { return nil }
        let behind = UInt64(truncatingIfNeeded: odd.leadingZeroBitCount) & 0x38
        let point: UInt8 = UInt8(ascii: ".") ^ UInt8(ascii: "0")
        guard UInt8(truncatingIfNeeded: values &>> (behind ^ 0x38)) == point, count > 1 else {
            return nil
        }
        // What is in front moves up over the point.
        let front = UInt64.max &>> behind
        let digits = (values & ~front) | (values << 8 & front)
        guard areDigits(digits) else { return nil }
        return (eight(digits), Int(truncatingIfNeeded: behind >> 3))
    }

    /// As `number`, for up to four characters.
    @inline(__always)
    static func smallNumber(_ word: UInt64, count: Int) -> Int? {
        let values = digits(word, count: count) >> 32
        guard areDigits(values) else { return nil }
        let pairs = values &* 10 &+ values >> 8
        return Int(truncatingIfNeeded: (pairs & 0xFF) &* 100 &+ (pairs >> 16 & 0xFF))
    }

    /// The numbers that the first six characters make two by two: `hhmmss`, `ddmmyy`.
    @inline(__always)
    static func threePairs(_ word: UInt64) -> (Int, Int, Int)? {
        let values = digits(word, count: 6)
        guard areDigits(values) else { return nil }
        let pairs = pairs(values)
        return (Int(pairs >> 16 & 0xFF), Int(pairs >> 32 & 0xFF), Int(pairs >> 48 & 0xFF))
    }

    /// The values of the first 0 to 7 characters in the last bytes; zeros are put in front.
    @inline(__always)
    private static func digits(_ word: UInt64, count: Int) -> UInt64 {
        // In two steps: no shift is by 64.
        let shift = UInt64(truncatingIfNeeded: 56 &- 8 &* count)
        return ((word ^ 0x3030_3030_3030_3030) &<< 8) &<< shift
    }

    /// Degrees and minutes: of the first 3 to 5 characters the last two are minutes.
    @inline(__always)
    static func degreesAndMinutes(_ word: UInt64, count: Int) -> (Int, Int)? {
        let values = digits(word, count: count)
        guard areDigits(values) else { return nil }
        let pairs = pairs(values)
        return (Int(pairs >> 16 & 0xFF) &* 100 &+ Int(pairs >> 32 & 0xFF), Int(pairs >> 48))
    }

    /// Whether each byte is a digit's value: nine and 0x76 stay below the high bit, ten does not.
    @inline(__always)
    static func areDigits(_ values: UInt64) -> Bool {
        (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0
    }

    /// Numbers of two digits in every other byte.
    @inline(__always)
    private static func pairs(_ values: UInt64) -> UInt64 {
        (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
    }
}
