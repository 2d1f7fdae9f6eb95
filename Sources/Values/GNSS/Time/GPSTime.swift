// SPDX-License-Identifier: MIT
import Glibc

/// An instant in GPS time, which has no leap seconds: a week number and the time of week.
package struct GPSTime: Hashable, Sendable {
    /// The number of weeks since 6 January 1980.
    package var week: Int
    /// The time of week: nanoseconds since midnight at the start of Sunday.
    package var nanoseconds: Int64

    /// Creates an instant.
    package init(week: Int, nanoseconds: Int64) {
        self.week = week
        self.nanoseconds = nanoseconds
    }

    /// Creates the instant of a UTC time. Returns `nil` before 6 January 1980. If `leapSeconds` is
    /// `nil`, the leap seconds in the built-in table are used.
    package init?(_ utc: UTCTime, leapSeconds: Int? = nil) {
        let day = utc.date.daysSince1970
        let leap = leapSeconds ?? Self.leapSeconds(on: utc.date)
        guard day >= Self.firstDay, Self.possibleLeapSeconds ~= leap else { return nil }
        // Weeks are counted apart from the time of week: all nanoseconds since 1980 exceed `Int64`
        // in 2272.
        let (week, weekday) = (day - Self.firstDay).quotientAndRemainder(dividingBy: 7)
        let elapsed =
            Int64(weekday) * TimeOfDay.day + utc.time.nanoseconds + Int64(leap) * 1_000_000_000
        let weeks = floorDivided(elapsed, 7 * TimeOfDay.day)
        guard week > 0 || weeks >= 0 else { return nil }
        self.init(
            week: week + Int(weeks), nanoseconds: elapsed - weeks * 7 * TimeOfDay.day)
    }

    /// Returns the difference between GPS time and UTC on a day in seconds, from the built-in
    /// table: 18 since 2017.
    package static func leapSeconds(on date: CalendarDate) -> Int {
        leapSeconds(onDay: date.daysSince1970)
    }

    private static func leapSeconds(onDay day: Int) -> Int { leapDays.count { $0 <= day } }

    /// The number of whole seconds since 6 January 1980.
    package var seconds: Int { week * 604_800 + Int(nanoseconds / 1_000_000_000) }

    /// The time of week in milliseconds, rounded; always less than a week.
    package var milliseconds: UInt32 {
        UInt32(truncatingIfNeeded: (nanoseconds + 500_000) / 1_000_000 % 604_800_000)
    }

    /// The differences from UTC that are used. Receivers and files may report others.
    private static let possibleLeapSeconds = -1000...1000

    /// The day on which GPS time begins, 6 January 1980, in days since 1 January 1970.
    package static let firstDay = 3657

    /// The first day after each leap second, in days since 1 January 1970.
    private static let leapDays = [
        (1981, 7), (1982, 7), (1983, 7), (1985, 7), (1988, 1), (1990, 1), (1991, 1), (1992, 7),
        (1993, 7), (1994, 7), (1996, 1), (1997, 7), (1999, 1), (2006, 1), (2009, 1), (2012, 7),
        (2015, 7), (2017, 1),
    ].compactMap { CalendarDate(year: $0, month: $1, day: 1)?.daysSince1970 }

    /// Returns the instant in UTC, rounded to milliseconds; `nil` outside the years 1980 to 9999,
    /// or if `nanoseconds` is not within a week.
    ///
    /// If `leapSeconds` is `nil`, the leap seconds in the built-in table are used.
    package func utc(leapSeconds: Int? = nil) -> UTCTime? {
        guard 0..<400_000 ~= week, 0...TimeOfDay.day * 7 ~= nanoseconds,
            leapSeconds.map({ Self.possibleLeapSeconds ~= $0 }) ?? true
        else { return nil }
        let milliseconds = (nanoseconds + 500_000) / 1_000_000
        let day = Self.firstDay + week * 7 + Int(milliseconds / 86_400_000)
        let time = Int(milliseconds % 86_400_000)
        let leap = leapSeconds ?? Self.leapSeconds(onDay: day)
        let elapsed = day * 86_400_000 + time - leap * 1000
        // Round down: the seconds before midnight belong to the previous day.
        let shifted = elapsed >= 0 ? elapsed : elapsed - 86_399_999
        guard let date = CalendarDate(daysSince1970: shifted / 86_400_000) else { return nil }
        let rest = Int64(elapsed - shifted / 86_400_000 * 86_400_000)
        return UTCTime(date: date, time: TimeOfDay(wrapping: rest * 1_000_000))
    }
}

/// Corrects dates that an old receiver reports a multiple of 1024 weeks too early.
///
/// GPS counts weeks modulo 1024. A receiver that was built before the last rollover may still count
/// from the rollover before that. Only impossible dates of live receivers are corrected; recordings
/// are not changed.
package struct WeekRollover: Hashable, Sendable {
    static let days = 7 * 1024

    /// The day of the program's release. A live receiver cannot correctly report an earlier day.
    package var built: CalendarDate

    /// The day according to the system clock. If it is earlier than `built`, no date is corrected.
    package var today: CalendarDate

    /// Creates a correction for the given days.
    package init(built: CalendarDate, today: CalendarDate) {
        self.built = built
        self.today = today
    }

    /// The maximum difference between a corrected date and today, in days. An old recording may be
    /// sent through a tty, and its dates must not be corrected.
    private static let tolerance = 30

    /// Returns the number of days by which a date is too early, a multiple of 1024 weeks. Returns 0
    /// if the date is possible, if no multiple gives a date near today, or if the system clock is
    /// earlier than `built`.
    package func missingDays(of date: CalendarDate) -> Int {
        let day = date.daysSince1970
        let now = today.daysSince1970
        guard now >= built.daysSince1970, day < built.daysSince1970 - 1 else { return 0 }
        let lost = (now - day + Self.days / 2) / Self.days * Self.days
        return abs(day + lost - now) <= Self.tolerance ? lost : 0
    }

    /// Returns whether the day 1024 weeks after `date` is not later than this release, so that a
    /// rollover may have made `date` too early.
    static func isSuspect(_ date: CalendarDate) -> Bool {
        date.daysSince1970 + days <= Release.daysSince1970
    }
}

/// An instant of a monotonic clock that also runs while the machine sleeps, like
/// `ContinuousClock.Instant`.
///
/// It is stored in one word. A `ContinuousClock.Instant`, and any type that contains one, is copied
/// through runtime metadata, which would take a tenth of the processing time of an epoch.
///
/// The corresponding C function is `clock_gettime` with `CLOCK_BOOTTIME`.
public struct MonotonicInstant: InstantProtocol {
    /// The number of nanoseconds since the machine was started.
    package let nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current instant.
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the instant that is later by a duration. The result is limited to the range of
    /// nanoseconds in an `Int64`.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        advanced(byNanoseconds: duration.clampedNanoseconds)
    }

    /// Returns the duration from this instant to another.
    public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns the instant that is `count` nanoseconds later. Unlike `advanced(by:)`, this method
    /// avoids the 128-bit arithmetic of `Duration`.
    package func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicInstant(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// Returns the number of seconds since another instant.
    public func seconds(since other: MonotonicInstant) -> Double {
        let (difference, isBeyond) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        guard isBeyond else { return Double(difference) / 1e9 }
        return (Double(nanoseconds) - Double(other.nanoseconds)) / 1e9
    }

    /// Returns the instant that is later by a duration.
    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: duration)
    }

    /// Returns the instant that is earlier by a duration.
    package static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: .zero - duration)
    }

    package static func - (a: MonotonicInstant, b: MonotonicInstant) -> Duration {
        b.duration(to: a)
    }

    /// Returns whether `a` is before `b`.
    public static func < (a: MonotonicInstant, b: MonotonicInstant) -> Bool {
        a.nanoseconds < b.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, limited to the range of `Int64`.
    fileprivate var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || isTooLong ? (seconds < 0 ? .min : .max) : sum
    }
}
