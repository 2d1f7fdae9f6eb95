// SPDX-License-Identifier: MIT

/// Decimal digits read side by side from one word, the first character in its lowest byte.
enum WordDigits {
    /// Takes digits away from the front of a word, and adds them to a number; how many there were.
    ///
    /// For the two or three digits of most fields this is faster than side by side.
    @inline(__always)
    static func take(from word: inout UInt64, into value: inout Int) -> Int {
        var count = 0
        while true {
            // A word that is used up has zeros, which are no digits.
            let digit = (word & 0xFF) ^ 0x30
            guard digit <= 9 else { return count }
            value = value &* 10 &+ Int(truncatingIfNeeded: digit)
            word >>= 8
            count &+= 1
        }
    }

    /// The number that the first 1 to 8 characters make; `nil` where one of them is no digit.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> Int? {
        guard let pairs = pairs(word, count: count) else { return nil }
        // Two by two, then four by four: each product's wanted sum comes out in its upper half.
        let even = (pairs & 0xFF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs >> 16 & 0xFF_0000_00FF) &* 0x0000_2710_0000_0001
        return Int((even &+ odd) >> 32)
    }

    /// The numbers that the first six characters make two by two: `hhmmss`, `ddmmyy`.
    @inline(__always)
    static func threePairs(_ word: UInt64) -> (Int, Int, Int)? {
        guard let pairs = pairs(word, count: 6) else { return nil }
        return (Int(pairs >> 16 & 0xFF), Int(pairs >> 32 & 0xFF), Int(pairs >> 48 & 0xFF))
    }

    /// Numbers of two digits in every other byte; zeros are put in front to make eight digits.
    @inline(__always)
    private static func pairs(_ word: UInt64, count: Int) -> UInt64? {
        let shift = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let values = (word ^ 0x3030_3030_3030_3030) << shift
        // Nine and 0x76 stay below the high bit, ten does not.
        guard (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else {
            return nil
        }
        return (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
    }
}
