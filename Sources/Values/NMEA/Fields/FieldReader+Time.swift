// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// Reads `hhmmss`, optionally followed by a point and a fraction of any length, which is
    /// truncated to nanoseconds.
    public mutating func time() -> TimeOfDay? {
        let field = next()
        if let time = time(field) { return time }
        guard !field.isEmpty else { return nil }
        guard let inner = withoutPadding(field) else { return malformed(field) }
        return time(inner) ?? malformed(inner)
    }

    @inline(__always)
    private func time(_ field: Field) -> TimeOfDay? {
        let hasFraction = field.count > 6 && field.word >> 48 & 0xFF == UInt64(UInt8(ascii: "."))
        guard field.count == 6 || hasFraction,
            let (hour, minute, second) = WordDigits.threePairs(field.word),
            let nanosecond = nanoseconds(from: field.start &+ 7, to: field.end)
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
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

    /// Reads `ddmmyy`, or `ddmmyyyy`, which some receivers send. Years 80 to 99 mean 1980 to 1999,
    /// and 00 to 79 mean 2000 to 2079.
    public mutating func date() -> CalendarDate? {
        date { (day: $0, month: $1) }
    }

    /// Reads `mmddyy`, the order that Trimble uses, or `mmddyyyy`.
    package mutating func monthFirstDate() -> CalendarDate? {
        date { (day: $1, month: $0) }
    }

    @inline(__always)
    private mutating func date(_ order: (Int, Int) -> (day: Int, month: Int)) -> CalendarDate? {
        let field = next()
        guard field.count == 6, let (first, second, year) = WordDigits.threePairs(field.word) else {
            return field.isEmpty ? nil : longDate(in: field, order)
        }
        let (day, month) = order(first, second)
        return CalendarDate(year: Self.year(year), month: month, day: day) ?? malformed(field)
    }

    /// Returns the year that two digits mean.
    @inline(__always)
    private static func year(_ digits: Int) -> Int { digits < 80 ? 2000 + digits : 1900 + digits }

    /// Reads a date with a four-digit year, or one that is padded with spaces.
    @inline(never)
    private mutating func longDate(
        in field: Field, _ order: (Int, Int) -> (day: Int, month: Int)
    ) -> CalendarDate? {
        let field = withoutPadding(field) ?? field
        guard let (first, second, shortYear) = WordDigits.threePairs(field.word),
            case let (day, month) = order(first, second)
        else { return malformed(field) }
        var year: Int?
        if field.count == 6 { year = Self.year(shortYear) }
        if field.count == 8 { year = digits(from: field.start + 4, to: field.end) }
        guard let year else { return malformed(field) }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(field)
    }

    /// Reads day, month and year from three fields. Some receivers send only two digits of the
    /// year.
    package mutating func longDate() -> CalendarDate? {
        let day = integer()
        let month = integer()
        var field = next()
        if field.count != 4 { field = withoutPadding(field) ?? field }
        guard field.count == 4 || field.count == 2,
            var year = digits(from: field.start, to: field.end)
        else { return malformed(field) }
        guard let day, let month else { return nil }
        if field.count == 2 { year = Self.year(year) }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(field)
    }
}
