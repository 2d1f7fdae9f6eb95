// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// `hhmmss`, then optionally a point and a fraction of any length, cut to nanoseconds.
    public mutating func time() -> TimeOfDay? {
        if let time = usualTime() { return time }
        let field = next()
        guard field.count == 6 || (field.count > 6 && byte(field.start + 6) == UInt8(ascii: ".")),
            let (hour, minute, second) = WordDigits.threePairs(field.word),
            let nanosecond = nanoseconds(from: field.start + 7, to: field.end)
        else { return malformed(field) }
        let time = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        return time ?? malformed(field)
    }

    /// Six digits, perhaps a point and one to seven digits, and a comma; `nil` for anything else.
    @inline(__always)
    private mutating func usualTime() -> TimeOfDay? {
        guard position <= bodyEnd else { return nil }
        let word = word(position)
        guard let (hour, minute, second) = WordDigits.threePairs(word) else { return nil }
        var nanosecond = 0
        var length = 6
        if word >> 48 & 0xFF != UInt64(UInt8(ascii: ",")) {
            let fraction = self.word(position &+ 7)
            let decimals = WordScan.first(UInt8(ascii: ","), in: fraction)
            guard word >> 48 & 0xFF == UInt64(UInt8(ascii: ".")), 1..<8 ~= decimals,
                let value = WordDigits.number(fraction, count: decimals)
            else { return nil }
            nanosecond = value &* Int(powerOfTen(9 &- decimals))
            length = 7 &+ decimals
        }
        guard
            let time = TimeOfDay(
                hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        else { return nil }
        position &+= length &+ 1
        return time
    }

    /// The digits of a second's fraction, as nanoseconds.
    @inline(__always)
    private func nanoseconds(from start: Int, to end: Int) -> Int? {
        let count = end - start
        guard count > 0 else { return 0 }
        guard count > 8 else {
            let value = WordDigits.number(word(start), count: count)
            return value.map { $0 * Int(powerOfTen(9 - count)) }
        }
        guard (start..<end).allSatisfy({ digit($0) != nil }) else { return nil }
        return digits(start, start + 9).map { Int($0) }
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
