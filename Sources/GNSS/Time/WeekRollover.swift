// SPDX-License-Identifier: MIT

/// Corrects dates that an old receiver reports 1024 weeks, or a multiple of them, too early.
///
/// GPS counts weeks modulo 1024; a receiver older than the last rollover starts again from the one
/// before. Only an impossible date is corrected, and only where a caller that reads a live receiver
/// gives these dates; recordings are left as they are.
public struct WeekRollover: Hashable, Sendable {
    static let days = 7 * 1024

    /// The day the program was built: no live receiver truthfully reports an earlier one.
    public var built: CalendarDate

    /// The day by the system clock, which counts where it is not earlier than `built`.
    public var today: CalendarDate

    /// Creates a reference.
    public init(built: CalendarDate, today: CalendarDate) {
        self.built = built
        self.today = today
    }

    /// A live receiver reports today's date: corrected, it is as many days from it at the most. Old
    /// recordings are played into ttys too, and theirs would land anywhere.
    private static let tolerance = 30

    /// How many days a date is too early: a multiple of 1024 weeks; 0 where it is possible, or
    /// where no multiple makes it today's. A system clock that is earlier than `built` is no
    /// witness, and nothing is mended by it.
    public func lostDays(of date: CalendarDate) -> Int {
        let day = date.daysSince1970
        let now = today.daysSince1970
        guard now >= built.daysSince1970, day < built.daysSince1970 - 1 else { return 0 }
        let lost = (now - day + Self.days / 2) / Self.days * Self.days
        return abs(day + lost - now) <= Self.tolerance ? lost : 0
    }

    /// Whether 1024 weeks after `date` is a day that has come: then it may be a rollover's.
    static func isSuspect(_ date: CalendarDate) -> Bool {
        date.daysSince1970 + days <= Release.daysSince1970
    }
}
