// SPDX-License-Identifier: MIT

/// Corrects dates that an old receiver reports a multiple of 1024 weeks too early.
///
/// GPS counts weeks modulo 1024. A receiver that was built before the last rollover may still count
/// from the rollover before that. Only impossible dates of live receivers are corrected; recordings
/// are not changed.
public struct WeekRollover: Hashable, Sendable {
    static let days = 7 * 1024

    /// The day of the program's release. A live receiver cannot correctly report an earlier day.
    public var built: CalendarDate

    /// The day according to the system clock. If it is earlier than `built`, no date is corrected.
    public var today: CalendarDate

    /// Creates a correction for the given days.
    public init(built: CalendarDate, today: CalendarDate) {
        self.built = built
        self.today = today
    }

    /// The maximum difference between a corrected date and today, in days. An old recording may be
    /// sent through a tty, and its dates must not be corrected.
    private static let tolerance = 30

    /// Returns the number of days by which a date is too early, a multiple of 1024 weeks. Returns 0
    /// if the date is possible, if no multiple gives a date near today, or if the system clock is
    /// earlier than `built`.
    public func missingDays(of date: CalendarDate) -> Int {
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
