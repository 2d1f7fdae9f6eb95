// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// Reads `hhmmss`, optionally followed by a point and a fraction of any length, which is
    /// truncated to nanoseconds.
    public mutating func time() -> TimeOfDay? {
        let field = next()
        let hasFraction = field.count > 6 && field.word >> 48 & 0xFF == UInt64(UInt8(ascii: "."))
        guard field.count == 6 || hasFraction,
            let (hour, minute, second) = WordDigits.threePairs(field.word),
            let nanosecond = nanoseconds(from: field.start &+ 7, to: field.end)
        else { return malformed(field) }
        let time = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        return time ?? malformed(field)
    }

    /// Returns the digits of a fraction of a second as nanoseconds.
    @inline(__always)
    private func nanoseconds(from start: Int, to end: Int) -> Int? {
        guard start < end else { return 0 }
        let kept = min(start &+ 9, end)
        guard let number = digits(from: start, to: kept) else { return nil }
        for i in kept..<end where bytes[i] &- UInt8(ascii: "0") > 9 { return nil }
        return number &* powerOfTen(9 &- (kept &- start))
    }

    /// Reads exactly `ddmmyy`. Years 80 to 99 mean 1980 to 1999, and 00 to 79 mean 2000 to 2079.
    public mutating func date() -> CalendarDate? {
        date { (day: $0, month: $1) }
    }

    /// Reads exactly `mmddyy`, the order that Trimble uses.
    package mutating func monthFirstDate() -> CalendarDate? {
        date { (day: $1, month: $0) }
    }

    @inline(__always)
    private mutating func date(_ order: (Int, Int) -> (day: Int, month: Int)) -> CalendarDate? {
        let field = next()
        guard field.count == 6, let (first, second, year) = WordDigits.threePairs(field.word) else {
            return malformed(field)
        }
        let (day, month) = order(first, second)
        let date = CalendarDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
        return date ?? malformed(field)
    }

    /// Reads day, month and four-digit year from three fields.
    package mutating func longDate() -> CalendarDate? {
        let day = integer()
        let month = integer()
        let field = next()
        guard field.count == 4, let year = digits(from: field.start, to: field.end) else {
            return malformed(field)
        }
        guard let day, let month else { return nil }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(field)
    }
}
