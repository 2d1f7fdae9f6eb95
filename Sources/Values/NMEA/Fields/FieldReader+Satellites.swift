// SPDX-License-Identifier: MIT
import GNSS

// Lists of satellites are two thirds of the data that most receivers send. If a list has the usual
// format, several fields are read at a time; otherwise, it is read field by field. Without this,
// decoding and assembling fixes would take 12 % more instructions.
extension FieldReader {
    /// The position of the next satellite in a list, and the bits that mark the ends of its fields.
    struct SatelliteCursor {
        fileprivate var start: Int
        fileprivate var ends: UInt64
        /// The upper limit of `start`, the index of the next satellite. At any lower index, sixteen
        /// bytes can be loaded.
        fileprivate let limit: UInt
    }

    /// Begins a list of satellites at the next field.
    @inline(__always)
    mutating func beginSatellites() -> SatelliteCursor {
        let ends = upcomingEnds()
        let limit = UInt(bitPattern: max(0, bytes.count &- 15))
        return SatelliteCursor(start: position, ends: ends, limit: limit)
    }

    /// Reads one hexadecimal digit from the field that ends at `end`, without advancing the reader.
    /// Sets `end` to the end of the field before it.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func hexadecimal(before end: inout Int) -> UInt8? {
        var start = end
        while start > 0, bytes[start - 1] != UInt8(ascii: ",") { start -= 1 }
        defer { end = start - 1 }
        guard end - start == 1, let value = Hexadecimal.value(bytes[start]) else {
            return malformed(Field(start: start, end: end))
        }
        return value
    }

    /// Reads the next satellite in view from four fields: number, elevation, azimuth and C/N0.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func satellite(_ cursor: inout SatelliteCursor) -> GSV.Entry {
        if let (entry, width) = Self.fastPathSatellite(bytes, cursor) {
            cursor.start &+= width
            cursor.ends &>>= UInt64(truncatingIfNeeded: width)
            return entry
        }
        // The cursor is passed by value, so that it stays in registers.
        let entry = slowPathSatellite(at: cursor.start)
        cursor = beginSatellites()
        return entry
    }

    /// Reads one satellite in any format, field by field.
    @inline(never)
    @_lifetime(self: copy self)
    private mutating func slowPathSatellite(at start: Int) -> GSV.Entry {
        pass(start)
        let number = integer() ?? 0
        let elevation = decimal(in: -90...90)
        let azimuth = bearing()
        let cn0 = decimal(in: 0...99)
        return GSV.Entry(number: number, elevation: elevation, azimuth: azimuth, cn0: cn0)
    }

    /// Reads a satellite in the usual format, `05,62,286,44` or `05,62,286,`. Returns it with the
    /// length of its text in bytes; `nil` for any other format.
    @inline(__always)
    private static func fastPathSatellite(
        _ bytes: Span<UInt8>, _ cursor: SatelliteCursor
    ) -> (GSV.Entry, Int)? {
        let ends = cursor.ends
        let isTracked = ends & 0x1FFF == 0b1_0010_0010_0100
        guard isTracked || ends & 0x7FF == 0b110_0010_0100,
            UInt(bitPattern: cursor.start) < cursor.limit
        else { return nil }
        // The fields are loaded as `05,62,28` and `286,44,…`
        let zeros: UInt64 = 0x3030_3030_3030_3030
        // Safety: the sixteen bytes are within bounds, as checked above.
        let pair = unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: cursor.start, as: SIMD2<UInt64>.self)
        let a = (pair[0] ^ zeros) & 0xFFFF_00FF_FF00_FFFF
        let b =
            ((pair[0] >> 48 | pair[1] << 16) ^ zeros)
            & (isTracked ? 0xFFFF_00FF_FFFF : 0xFF_FFFF)
        let carry: UInt64 = 0x7676_7676_7676_7676
        guard (a | (a &+ carry) | b | (b &+ carry)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // Tens and ones are computed in parallel.
        let pairs = a &* 10 &+ a >> 8
        let more = b &* 10 &+ b >> 8
        let elevation = Int32(truncatingIfNeeded: pairs >> 24 & 0xFF)
        let azimuth = Int32(truncatingIfNeeded: (b & 0xFF) &* 100 &+ (more >> 8 & 0xFF))
        let cn0 = Int32(truncatingIfNeeded: more >> 32 & 0xFF)
        guard elevation <= 90, azimuth < 360 else { return nil }
        let entry = GSV.Entry(
            number: Int(truncatingIfNeeded: pairs & 0xFF), elevation: Double(elevation),
            azimuth: Double(azimuth), cn0: isTracked ? Double(cn0) : nil)
        return (entry, isTracked ? 13 : 11)
    }

    /// Reads `count` fields. Each contains the number of a satellite or is empty.
    @_lifetime(self: copy self)
    mutating func satelliteNumbers(_ count: Int) -> SatelliteNumbers {
        var numbers = SatelliteNumbers()
        var left = count
        while left > 0 {
            fastPathNumbers(&left, into: &numbers)
            guard left > 0 else { break }
            left &-= 1
            if let number = integer() { numbers.append(number) }
        }
        return numbers
    }

    /// Reads consecutive fields that are empty or have two digits, within the next 64 characters.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func fastPathNumbers(_ left: inout Int, into numbers: inout SatelliteNumbers) {
        var ends = upcomingEnds()
        var start = position
        while left > 0 {
            if ends & 7 == 0b100 {
                let digits = (WordScan.load(bytes, at: start) ^ 0x3030) & 0xFFFF
                guard (digits | (digits &+ 0x7676)) & 0x8080 == 0 else { break }
                numbers.append(Int(truncatingIfNeeded: (digits & 0xFF) &* 10 &+ digits >> 8))
                start &+= 3
                ends >>= 3
            } else if ends & 1 != 0 {
                start &+= 1
                ends >>= 1
            } else {
                break
            }
            left &-= 1
        }
        pass(start)
    }
}

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
    private static func areDigits(_ values: UInt64) -> Bool {
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
