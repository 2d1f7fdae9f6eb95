// SPDX-License-Identifier: MIT

/// An instant as a receiver reports it: a date and a time of day, both UTC.
public struct UTCTime: Hashable, Sendable, CustomStringConvertible {
    /// The UTC date.
    public var date: CalendarDate

    /// The UTC time of day.
    public var time: TimeOfDay

    /// The maximum time after midnight for which a receiver may still send the previous date, in
    /// nanoseconds.
    package static let longestDateDelay: Int64 = 10_000_000_000

    /// Creates an instant.
    public init(date: CalendarDate, time: TimeOfDay) {
        self.date = date
        self.time = time
    }

    /// The Unix time in nanoseconds. A leap second counts as the first second of the next day.
    ///
    /// The result is limited to the range of `Int64`: the years 1677 to 2262.
    public var unixNanoseconds: Int64 {
        let midnight = Int128(date.daysSince1970) * Int128(TimeOfDay.day)
        return Int64(clamping: midnight + Int128(time.nanoseconds))
    }

    /// Creates an instant from Unix time in nanoseconds. It never returns `nil`, because the range
    /// of `Int64` covers only the years 1677 to 2262.
    public init?(unixNanoseconds: Int64) {
        let time = TimeOfDay(wrapping: unixNanoseconds)
        let days = floorDivided(unixNanoseconds, TimeOfDay.day)
        guard let date = CalendarDate(daysSince1970: Int(days)) else { return nil }
        self.init(date: date, time: time)
    }

    /// Returns whether this instant is earlier than another one. A leap second is before the next
    /// midnight, although its Unix time is not.
    package func isBefore(_ other: UTCTime) -> Bool {
        (date.daysSince1970, time.nanoseconds) < (other.date.daysSince1970, other.time.nanoseconds)
    }

    /// Returns the nanoseconds since another instant; negative if the other instant is later.
    /// Returns `nil` if the result is too large.
    ///
    /// A leap second is counted only if one of the two instants is in it. A leap second between the
    /// two instants is not counted.
    package func nanoseconds(since earlier: UTCTime) -> Int64? {
        let days = Int64(date.daysSince1970 - earlier.date.daysSince1970)
        let (midnights, isTooLong) = days.multipliedReportingOverflow(by: TimeOfDay.day)
        let (difference, overflow) = midnights.addingReportingOverflow(
            time.nanoseconds - earlier.time.nanoseconds)
        guard !isTooLong, !overflow else { return nil }
        guard date != earlier.date else { return difference }
        let second: Int64 = 1_000_000_000
        if earlier.time.isLeapSecond, earlier.isBefore(self) { return difference &+ second }
        if time.isLeapSecond, isBefore(earlier) { return difference &- second }
        return difference
    }

    /// Returns whether the date is still the previous one although the day has just begun. Compared
    /// with `other`, this time is then a day too early, to within ten seconds.
    ///
    /// At midnight, some receivers change the date some seconds after the time of day.
    package func hasPreviousDate(comparedTo other: UTCTime) -> Bool {
        let longest = Self.longestDateDelay
        guard time.nanoseconds < longest, let behind = other.nanoseconds(since: self) else {
            return false
        }
        return (behind &- TimeOfDay.day).magnitude < longest.magnitude
    }

    /// Returns the instant nearest to this one with the time of day `time`, at most twelve hours
    /// away.
    package func nearest(_ time: TimeOfDay) -> UTCTime {
        instant(at: time, within: -TimeOfDay.day / 2...TimeOfDay.day / 2)
    }

    /// Returns the next instant with the time of day `time`, or the previous one if that is at most
    /// an hour before this instant, because sentences may arrive late.
    package func onward(to time: TimeOfDay) -> UTCTime {
        let hour = TimeOfDay.day / 24
        return instant(at: time, within: -hour...TimeOfDay.day - hour)
    }

    /// Returns the instant with the time of day `time` that is within `range` of this one. The
    /// range is one day long, in nanoseconds without leap seconds.
    private func instant(at time: TimeOfDay, within range: ClosedRange<Int64>) -> UTCTime {
        let difference = time.nanoseconds - self.time.nanoseconds
        let days = difference < range.lowerBound ? 1 : difference > range.upperBound ? -1 : 0
        return UTCTime(date: date.adding(days: days), time: time)
    }
}

extension TextBuffer {
    /// Appends an instant in ISO 8601 with 1 to 9 decimals: `2026-03-23T12:35:19.000Z`. Further
    /// decimals are truncated; rounding could give second 60.
    package mutating func append(iso8601 instant: UTCTime, decimals: Int = 3) {
        append(atMost: 40) { room, start in
            Self.put(iso8601: instant, decimals: decimals, in: &room, at: start)
        }
    }

    /// Stores an instant in ISO 8601 with 1 to 9 decimals in `room` from `start`. Returns the index
    /// after it.
    package static func put(
        iso8601 instant: UTCTime, decimals: Int, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        let (date, time) = (instant.date, instant.time)
        let (century, year) = UInt16(date.year).quotientAndRemainder(dividingBy: 100)
        // Each call stores an excess byte, which the next one overwrites.
        var end = put(twoDigits: Int(century), "0", in: &room, at: start) &- 1
        end = put(twoDigits: Int(year), "-", in: &room, at: end)
        end = put(twoDigits: date.month, "-", in: &room, at: end)
        end = put(twoDigits: date.day, "T", in: &room, at: end)
        end = put(clock: time, in: &room, at: end)
        let (digits, last) = UInt64(time.nanosecond).quotientAndRemainder(dividingBy: 10)
        room.storeBytes(
            of: Digits(digits).last(8).littleEndian, toByteOffset: end, as: UInt64.self)
        room.storeBytes(
            of: 0x30 | UInt8(truncatingIfNeeded: last), toByteOffset: end &+ 8, as: UInt8.self)
        return put("Z", in: &room, at: end &+ min(9, decimals))
    }

    /// Stores a time of day in `room` from `start` as `10:15:20.`, with a point for a fraction.
    /// Returns the index after it.
    @inline(__always)
    private static func put(
        clock time: TimeOfDay, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        var end = put(twoDigits: time.hour, ":", in: &room, at: start)
        end = put(twoDigits: time.minute, ":", in: &room, at: end)
        return put(twoDigits: time.second, ".", in: &room, at: end)
    }

    /// Appends a time of day with its second truncated: `10:15:20`.
    package mutating func append(clock time: TimeOfDay) {
        append(atMost: 9) { room, start in Self.put(clock: time, in: &room, at: start) &- 1 }
    }

    /// Stores a number below 100 as two digits, followed by a character, in `room` from `start`.
    /// Returns the index after them.
    @inline(__always)
    private static func put(
        twoDigits value: Int, _ character: Unicode.Scalar, in room: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        let (tens, ones) = UInt8(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
        let digits = UInt32(tens) | UInt32(ones) << 8 | character.value << 16
        room.storeBytes(of: (0x3030 | digits).littleEndian, toByteOffset: start, as: UInt32.self)
        return start &+ 3
    }
}

extension TimeOfDay {
    /// The time as `10:15:20`, with its second truncated.
    package var clock: String { TextBuffer.text { $0.append(clock: self) } }
}

extension UTCTime {
    /// The instant in ISO 8601 with milliseconds: `2026-03-23T12:35:19.000Z`.
    public var description: String { TextBuffer.text { $0.append(iso8601: self) } }

    /// Creates the instant from ISO 8601: `2026-03-23T12:35:19.5Z`, or with an offset such as
    /// `+02:00`, `+0200` or `+02`. Without `Z` and offset, the time is UTC. A space may replace the
    /// `T`. Returns `nil` for any other text.
    package init?(iso8601 text: some StringProtocol) {
        var scanner = DigitScanner(Substring(text).utf8)
        guard let year = scanner.number(of: 4), scanner.skip("-"),
            let month = scanner.number(of: 2), scanner.skip("-"),
            let day = scanner.number(of: 2), scanner.skip("T", or: "t") || scanner.skip(" "),
            let hour = scanner.number(of: 2), scanner.skip(":"),
            let minute = scanner.number(of: 2), scanner.skip(":"),
            let second = scanner.number(of: 2), second <= 60,
            let fraction = scanner.skip(".", or: ",") ? scanner.nanoseconds() : 0,
            let date = CalendarDate(year: year, month: month, day: day),
            // The minute of a leap second depends on the offset.
            let time = TimeOfDay(
                hour: hour, minute: minute, second: min(second, 59), nanosecond: fraction),
            let offset = scanner.minutesOfOffset()
        else { return nil }
        let shifted = time.nanoseconds - Int64(offset) * 60_000_000_000
        let days = shifted < 0 ? -1 : shifted >= TimeOfDay.day ? 1 : 0
        guard let utcDate = CalendarDate(daysSince1970: date.daysSince1970 + days) else {
            return nil
        }
        self.init(date: utcDate, time: TimeOfDay(wrapping: shifted))
        guard second == 60 else { return }
        guard
            let leap = TimeOfDay(
                hour: self.time.hour, minute: self.time.minute, second: 60, nanosecond: fraction)
        else { return nil }
        self.time = leap
    }
}

/// Reads digits and punctuation from the start of a string.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) {
        rest = text
    }

    private var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number of exactly `count` digits; returns `nil` if there are fewer.
    mutating func number(of count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count else { return nil }
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(count)
        return number
    }

    /// Reads the digits of a fraction of a second, and returns the fraction in nanoseconds; `nil`
    /// without digits. Digits beyond nanoseconds are ignored.
    mutating func nanoseconds() -> Int? {
        var number = 0
        var count = 0
        while let digit = self.number(of: 1) {
            if count < 9 { number = number * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(9, count)..<9 { number *= 10 }
        return number
    }

    /// Reads the offset from UTC at the end of the text, in minutes east; 0 for `Z` or no text.
    /// Returns `nil` for any other text.
    mutating func minutesOfOffset() -> Int? {
        if isAtEnd || skip("Z", or: "z") { return isAtEnd ? 0 : nil }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(of: 2), hours <= 14 else { return nil }
        guard !isAtEnd else { return isEast ? hours * 60 : -hours * 60 }
        _ = skip(":")
        guard let minutes = number(of: 2), minutes < 60, isAtEnd else { return nil }
        return (hours * 60 + minutes) * (isEast ? 1 : -1)
    }

    /// Skips `sign` or `other` if one of them is the next character. Returns whether it was.
    mutating func skip(_ sign: Unicode.Scalar, or other: Unicode.Scalar) -> Bool {
        skip(sign) || skip(other)
    }

    /// Skips `sign` if it is the next character. Returns whether it was.
    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard let next = rest.first, UInt32(next) == sign.value else { return false }
        rest = rest.dropFirst()
        return true
    }
}

/// A UTC time of day with nanosecond resolution. A leap second is 23:59:60.
public struct TimeOfDay: Hashable, Sendable {
    /// The number of nanoseconds since midnight: below 86 400 s, or below 86 401 s in a leap
    /// second.
    public let nanoseconds: Int64

    /// The length of a day without a leap second, in nanoseconds.
    package static let day: Int64 = 86_400_000_000_000
    private static let second: Int64 = 1_000_000_000

    /// Creates a time. Returns `nil` if a value is out of range. Second 60 is valid only in
    /// 23:59:60.
    @inlinable
    public init?(hour: Int, minute: Int, second: Int, nanosecond: Int = 0) {
        guard 0..<24 ~= hour, 0..<60 ~= minute, 0..<1_000_000_000 ~= nanosecond,
            0..<60 ~= second || (second == 60 && hour == 23 && minute == 59)
        else { return nil }
        let seconds = Int64((hour * 60 + minute) * 60 + second)
        nanoseconds = seconds * 1_000_000_000 + Int64(nanosecond)
    }

    /// Creates a time from seconds since midnight, rounded to milliseconds. Returns `nil` unless
    /// `seconds` is at least 0 and below 86 401.
    package init?(seconds: Double) {
        guard 0..<86_401 ~= seconds else { return nil }
        nanoseconds = min(Int64((seconds * 1000).rounded()), 86_400_999) * 1_000_000
    }

    /// Creates a time from nanoseconds since midnight, modulo one day.
    package init(wrapping nanoseconds: Int64) {
        let remainder = nanoseconds % Self.day
        self.nanoseconds = remainder < 0 ? remainder + Self.day : remainder
    }

    /// Creates a time from seconds since midnight, modulo one day. The number may be negative.
    package init(secondsOfDay seconds: Int) {
        self.init(wrapping: Int64(seconds % 86_400) * Self.second)
    }

    /// The hour, 0 to 23.
    public var hour: Int { isLeapSecond ? 23 : Int(nanoseconds / 3_600_000_000_000) }

    /// The minute, 0 to 59.
    public var minute: Int { isLeapSecond ? 59 : Int(nanoseconds / 60_000_000_000 % 60) }

    /// The second, 0 to 59, or 60 in a leap second.
    public var second: Int { isLeapSecond ? 60 : Int(nanoseconds / 1_000_000_000 % 60) }

    /// The nanosecond, 0 to 999 999 999.
    public var nanosecond: Int { Int(nanoseconds % 1_000_000_000) }

    /// Whether this is 23:59:60.
    public var isLeapSecond: Bool { nanoseconds >= Self.day }

    /// Returns the nanoseconds from the nearest occurrence of `earlier` to this time. The result is
    /// between -12 h and 12 h.
    package func nanoseconds(since earlier: TimeOfDay) -> Int64 {
        let difference = nanoseconds - earlier.nanoseconds
        // A day that ends with a leap second is one second longer.
        if difference > Self.day / 2 {
            return difference - Self.day - (isLeapSecond ? Self.second : 0)
        }
        if difference < -Self.day / 2 {
            return difference + Self.day + (earlier.isLeapSecond ? Self.second : 0)
        }
        return difference
    }
}

/// A day of the Gregorian calendar, in UTC.
public struct CalendarDate: Hashable, Sendable {
    // The date takes only four bytes, because every fix contains one.
    @usableFromInline let storedYear: UInt16
    @usableFromInline let storedMonth: UInt8
    @usableFromInline let storedDay: UInt8

    /// The year, 1 to 9999.
    @inlinable public var year: Int { Int(storedYear) }

    /// The month, 1 to 12.
    @inlinable public var month: Int { Int(storedMonth) }

    /// The day, 1 to 31.
    @inlinable public var day: Int { Int(storedDay) }

    /// Creates a date. Returns `nil` if the day does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        storedYear = UInt16(year)
        storedMonth = UInt8(month)
        storedDay = UInt8(day)
    }

    /// Creates the date `days` days after 1 January 1970. Returns `nil` outside the years 1 to
    /// 9999.
    package init?(daysSince1970 days: Int) {
        guard -719_162...2_932_896 ~= days else { return nil }
        // Years are counted from 1 March here, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        storedMonth = UInt8(month)
        storedDay = UInt8(dayOfYear - (153 * march + 2) / 5 + 1)
        storedYear = UInt16(yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
    }

    /// 1 January 1970.
    package static let unixEpoch = CalendarDate(storedYear: 1970, storedMonth: 1, storedDay: 1)

    private init(storedYear: UInt16, storedMonth: UInt8, storedDay: UInt8) {
        self.storedYear = storedYear
        self.storedMonth = storedMonth
        self.storedDay = storedDay
    }

    /// The number of days since 1 January 1970.
    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the date `days` days later, or earlier if `days` is negative. Returns the same date
    /// if the result is outside the years 1 to 9999.
    public func adding(days: Int) -> CalendarDate {
        guard days != 0 else { return self }
        let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
        return overflow ? self : CalendarDate(daysSince1970: sum) ?? self
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
