// SPDX-License-Identifier: MIT

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
        guard day >= Self.epoch, Self.possibleLeapSeconds ~= leap else { return nil }
        // Weeks are counted apart from the time of week: all nanoseconds since 1980 exceed `Int64`
        // in 2272.
        let (week, weekday) = (day - Self.epoch).quotientAndRemainder(dividingBy: 7)
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

    /// The time of week in milliseconds, rounded; always less than a week.
    package var milliseconds: UInt32 {
        UInt32(truncatingIfNeeded: (nanoseconds + 500_000) / 1_000_000 % 604_800_000)
    }

    /// The differences from UTC that are used. Receivers and files may report others.
    private static let possibleLeapSeconds = -1000...1000

    /// The number of days from 1 January 1970 to 6 January 1980.
    private static let epoch = 3657

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
        let day = Self.epoch + week * 7 + Int(milliseconds / 86_400_000)
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
