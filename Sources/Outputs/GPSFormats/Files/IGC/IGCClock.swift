// SPDX-License-Identifier: MIT
import GNSS

/// Determines the dates of IGC fixes, which have only a time of day. The date of a fix is the date
/// of the last `HFDTE` record, plus a day for each midnight since then.
struct IGCClock: Equatable {
    private static let halfDay: Int64 = 43_200_000_000_000

    private static let hour: Int64 = 3_600_000_000_000

    private var date: CalendarDate?
    private var last: TimeOfDay?
    /// Whether the date of the next day was written before midnight.
    private var isEarly = false

    /// Sets the date of the next fix; `nil` if it is unknown.
    mutating func set(_ date: CalendarDate?) {
        // Some recorders write the new date some seconds before midnight.
        isEarly = last != nil && date != nil && date == self.date?.adding(days: 1)
        guard !isEarly else { return }
        self.date = date
        last = nil
    }

    /// Returns the date of the next fix without advancing to it; `nil` if unknown. A time more than
    /// twelve hours before the last one is on the next day.
    func date(at time: TimeOfDay) -> CalendarDate? {
        guard let last else { return date }
        let since = time.nanoseconds - last.nanoseconds
        if isEarly {
            let isBefore = 0..<Self.hour ~= since && time.nanoseconds >= 23 * Self.hour
            return isBefore ? date : date?.adding(days: 1)
        }
        return since < -Self.halfDay ? date?.adding(days: 1) : date
    }

    /// Advances to the next fix. Returns its date; `nil` if unknown.
    mutating func advance(to time: TimeOfDay) -> CalendarDate? {
        let date = date(at: time)
        if date != self.date { isEarly = false }
        (self.date, last) = (date, time)
        return date
    }
}
