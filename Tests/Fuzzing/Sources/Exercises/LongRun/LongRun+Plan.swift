// SPDX-License-Identifier: MIT
package import GNSS

extension LongRun {
    /// The start of a run, and the special events in it.
    package struct Plan: Sendable {
        var start: WallCalendar
        /// The days that end with 23:59:60.
        var leapSeconds: Set<CalendarDate> = Plan.knownLeapSeconds
        /// Whether every epoch has a date, or only one a second, as from ZDA.
        package var alwaysReportsDate = true
        /// The UTC time from which the receiver counts its weeks from 0 again.
        package var rollover: (day: CalendarDate, time: TimeOfDay)?

        /// Begins at midnight; `nil` if there is no such day.
        package init?(year: Int, month: Int, day: Int) {
            guard CalendarDate(year: year, month: month, day: day) != nil else { return nil }
            start = WallCalendar(year: year, month: month, day: day)
        }

        /// The same instant, in seconds after midnight.
        package func beginning(at second: Int) -> Plan {
            var plan = self
            plan.start.tenths = second * 10
            return plan
        }

        /// The number of days by which the date reported at an instant is too early.
        private func lostDays(_ instant: UTCTime) -> Int {
            guard let rollover else { return 0 }
            let start = UTCTime(date: rollover.day, time: rollover.time)
            return instant.unixNanoseconds < start.unixNanoseconds ? 0 : 7 * 1024
        }

        /// The date that a fix must mark as corrected. January 1980 is not a date: a receiver
        /// without a date counts from there. Then the day follows from the previous epochs.
        func receivedDate(_ instant: UTCTime) -> CalendarDate? {
            let date = reportedDate(instant)
            return date == instant.date || (date.year, date.month) == (1980, 1) ? nil : date
        }

        /// The date reported at an instant.
        func reportedDate(_ instant: UTCTime) -> CalendarDate {
            instant.date.adding(days: -lostDays(instant))
        }

        /// The leap seconds since the first receivers were sold.
        private static let knownLeapSeconds = Set(
            [
                (1998, 12, 31), (2005, 12, 31), (2008, 12, 31), (2012, 6, 30), (2015, 6, 30),
                (2016, 12, 31),
            ].compactMap { CalendarDate(year: $0.0, month: $0.1, day: $0.2) })
    }
}

/// An independent clock and calendar, which advance in steps of a tenth of a second.
struct WallCalendar: Sendable {
    var year: Int
    var month: Int
    var day: Int
    /// The tenths of a second since midnight.
    var tenths = 0

    var isFullSecond: Bool { tenths % 10 == 0 }

    var instant: UTCTime? {
        let seconds = tenths / 10
        let isLeap = seconds == 86_400
        guard let date = CalendarDate(year: year, month: month, day: day),
            let time = TimeOfDay(
                hour: isLeap ? 23 : seconds / 3600, minute: isLeap ? 59 : seconds / 60 % 60,
                second: isLeap ? 60 : seconds % 60, nanosecond: tenths % 10 * 100_000_000)
        else { return nil }
        return UTCTime(date: date, time: time)
    }

    mutating func advance(leapSeconds: Set<CalendarDate>) {
        tenths += 1
        guard tenths >= 864_000 else { return }
        let isLeapDay = CalendarDate(year: year, month: month, day: day).map(leapSeconds.contains)
        guard tenths >= (isLeapDay == true ? 864_010 : 864_000) else { return }
        tenths = 0
        day += 1
        guard day > daysInMonth else { return }
        day = 1
        month += 1
        guard month > 12 else { return }
        month = 1
        year += 1
    }

    private var daysInMonth: Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
