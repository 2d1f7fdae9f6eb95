// SPDX-License-Identifier: MIT

/// Corrects dates that an old receiver reports a multiple of 1024 weeks too early.
///
/// GPS counts weeks modulo 1024; a receiver older than the last rollover counts from the one
/// before. Only impossible dates of live receivers are corrected; recordings are not changed.
public struct WeekRollover: Hashable, Sendable {
    static let days = 7 * 1024

    /// The day the program was built: no live receiver truthfully reports an earlier one.
    public var built: CalendarDate

    /// The day according to the system clock; ignored if it is earlier than `built`.
    public var today: CalendarDate

    /// Creates a reference.
    public init(built: CalendarDate, today: CalendarDate) {
        self.built = built
        self.today = today
    }

    /// The largest difference in days between a corrected date and today. Old recordings are also
    /// played into ttys, and their corrected dates would be arbitrary.
    private static let tolerance = 30

    /// The number of days that a date is too early: a multiple of 1024 weeks. 0 if the date is
    /// possible, or if no multiple gives today's date. If the system clock is earlier than `built`,
    /// nothing is corrected.
    public func missingDays(of date: CalendarDate) -> Int {
        let day = date.daysSince1970
        let now = today.daysSince1970
        guard now >= built.daysSince1970, day < built.daysSince1970 - 1 else { return 0 }
        let lost = (now - day + Self.days / 2) / Self.days * Self.days
        return abs(day + lost - now) <= Self.tolerance ? lost : 0
    }

    /// Whether the day 1024 weeks after `date` has passed, so that `date` may be the result of a
    /// rollover.
    static func isSuspect(_ date: CalendarDate) -> Bool {
        date.daysSince1970 + days <= Release.daysSince1970
    }
}
