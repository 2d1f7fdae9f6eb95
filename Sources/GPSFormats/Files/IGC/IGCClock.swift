// SPDX-License-Identifier: MIT
import GNSS

/// Determines the dates of IGC fixes, which have only a time of day. The date of a fix is the date
/// of the last `HFDTE` record, plus a day for each midnight since then.
struct IGCClock: Equatable {
    private static let halfDay: Int64 = 43_200_000_000_000

    private var date: CalendarDate?
    private var last: TimeOfDay?

    /// Sets the date of the next fix; `nil` if it is unknown.
    mutating func set(_ date: CalendarDate?) {
        self.date = date
        last = nil
    }

    /// Returns the date of the next fix without advancing to it; `nil` if unknown. A time more than
    /// twelve hours before the last one is on the next day.
    func date(at time: TimeOfDay) -> CalendarDate? {
        guard let last, time.nanoseconds - last.nanoseconds < -Self.halfDay else { return date }
        return date?.adding(days: 1)
    }

    /// Advances to the next fix. Returns its date; `nil` if unknown.
    mutating func advance(to time: TimeOfDay) -> CalendarDate? {
        date = date(at: time)
        last = time
        return date
    }
}
