// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// `hhmmss`, then optionally a point and a fraction of any length, cut to nanoseconds.
    public mutating func time() -> TimeOfDay? {
        let (start, end) = field()
        guard end - start >= 6, end - start == 6 || byte(start + 6) == UInt8(ascii: "."),
            let hour = twoDigits(start), let minute = twoDigits(start + 2),
            let second = twoDigits(start + 4)
        else { return malformed(start, end) }
        var nanosecond = 0
        var scale = 100_000_000
        var i = start + 7
        while i < end {
            guard let digit = digit(i) else { return malformed(start, end) }
            nanosecond += digit * scale
            scale /= 10
            i += 1
        }
        let time = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        return time ?? malformed(start, end)
    }

    /// Exactly `ddmmyy`; 80 to 99 are 1980 to 1999, 00 to 79 are 2000 to 2079.
    public mutating func date() -> CalendarDate? {
        let (start, end) = field()
        guard end - start == 6, let day = twoDigits(start), let month = twoDigits(start + 2),
            let year = twoDigits(start + 4)
        else { return malformed(start, end) }
        let date = CalendarDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
        return date ?? malformed(start, end)
    }

    /// Exactly `mmddyy`, as Trimble sends it.
    public mutating func monthFirstDate() -> CalendarDate? {
        let (start, end) = field()
        guard end - start == 6, let month = twoDigits(start), let day = twoDigits(start + 2),
            let year = twoDigits(start + 4)
        else { return malformed(start, end) }
        let date = CalendarDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
        return date ?? malformed(start, end)
    }

    /// Day, month and four digits of a year, in three fields.
    public mutating func longDate() -> CalendarDate? {
        let day = integer()
        let month = integer()
        let (start, end) = field()
        guard end - start == 4, let year = wholeNumber(start, end) else {
            return malformed(start, end)
        }
        guard let day, let month else { return nil }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(start, end)
    }

    private func twoDigits(_ index: Int) -> Int? {
        guard let tens = digit(index), let ones = digit(index + 1) else { return nil }
        return tens * 10 + ones
    }
}
