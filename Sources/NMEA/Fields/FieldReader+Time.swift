// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// `hhmmss`, then optionally a point and a fraction of any length, cut to nanoseconds.
    public mutating func time() -> TimeOfDay? {
        let field = next()
        let hasFraction = field.count > 6 && field.word >> 48 & 0xFF == UInt64(UInt8(ascii: "."))
        guard field.count == 6 || hasFraction,
            let (hour, minute, second) = WordDigits.threePairs(field.word),
            let nanosecond = Self.nanoseconds(bytes, from: field.start &+ 7, to: field.end)
        else { return malformed(field) }
        let time = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        return time ?? malformed(field)
    }

    /// The digits of a second's fraction, as nanoseconds.
    @inline(__always)
    private static func nanoseconds(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        let count = end &- start
        guard count > 0 else { return 0 }
        guard count > 7 else {
            guard let value = WordDigits.number(WordScan.load(bytes, at: start), count: count)
            else { return nil }
            return value &* nanosecondsPerUnit[count]
        }
        return longNanoseconds(bytes, from: start, to: end)
    }

    @inline(never)
    private static func longNanoseconds(
        _ bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        for i in start..<end where bytes[i] &- UInt8(ascii: "0") > 9 { return nil }
        let kept = min(end - start, 9)
        return digits(bytes, start, start + kept).map { Int($0) * Int(powerOfTen(9 - kept)) }
    }

    /// Exactly `ddmmyy`; 80 to 99 are 1980 to 1999, 00 to 79 are 2000 to 2079.
    public mutating func date() -> CalendarDate? {
        let field = next()
        guard field.count == 6, let (day, month, year) = WordDigits.threePairs(field.word) else {
            return malformed(field)
        }
        let date = CalendarDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
        return date ?? malformed(field)
    }

    /// Exactly `mmddyy`, as Trimble sends it.
    public mutating func monthFirstDate() -> CalendarDate? {
        let field = next()
        guard field.count == 6, let (month, day, year) = WordDigits.threePairs(field.word) else {
            return malformed(field)
        }
        let date = CalendarDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
        return date ?? malformed(field)
    }

    /// Day, month and four digits of a year, in three fields.
    public mutating func longDate() -> CalendarDate? {
        let day = integer()
        let month = integer()
        let field = next()
        guard field.count == 4, let year = wholeNumber(field) else { return malformed(field) }
        guard let day, let month else { return nil }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(field)
    }
}

/// What the last of so many digits behind a second's point counts.
private let nanosecondsPerUnit: InlineArray<8, Int> = [
    1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100,
]
