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
    public func nearest(_ time: TimeOfDay) -> UTCTime {
        instant(at: time, within: -TimeOfDay.day / 2...TimeOfDay.day / 2)
    }

    /// Returns the next instant with the time of day `time`, or the previous one if that is at most
    /// an hour before this instant, because sentences may arrive late.
    public func onward(to time: TimeOfDay) -> UTCTime {
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
