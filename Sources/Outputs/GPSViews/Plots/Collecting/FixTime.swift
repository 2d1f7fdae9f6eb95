// SPDX-License-Identifier: MIT
package import GNSS

/// The time of a fix. Its zero point depends on whether the receiver reports a date or at least a
/// time of day.
package struct FixTime: Hashable, Sendable {
    /// The zero point of a time, in the order of increasing information.
    package enum Scale: Int, Comparable, Sendable {
        /// Zero at the first fix. Neither time nor date is known, so one second is counted per fix.
        case order
        /// Zero at midnight UTC, because the date is unknown.
        case timeOfDay
        /// Zero at 1 January 1970, 00:00 UTC.
        case date

        /// Orders scales by increasing information: order, time of day, date.
        package static func < (a: Scale, b: Scale) -> Bool { a.rawValue < b.rawValue }
    }

    package let scale: Scale
    package let nanoseconds: Int64

    /// Creates the time of a fix. `order` is the number of fixes with a position before it.
    package init(_ fix: Fix, order: Int) {
        if let time = fix.time {
            self.init(.date, time.unixNanoseconds)
        } else if let time = fix.timeOfDay {
            self.init(.timeOfDay, time.nanoseconds)
        } else {
            self.init(.order, Int64(clamping: order) &* 1_000_000_000)
        }
    }

    private init(_ scale: Scale, _ nanoseconds: Int64) {
        self.scale = scale
        self.nanoseconds = nanoseconds
    }

    /// Returns the time of day shifted by whole days to be as close as possible to `earlier`,
    /// because midnight may have passed. Times on other scales are returned unchanged.
    package func unwrapped(after earlier: FixTime) -> FixTime {
        guard scale == .timeOfDay, earlier.scale == .timeOfDay else { return self }
        let day = TimeOfDay.day
        let days = ((Double(earlier.nanoseconds) - Double(nanoseconds)) / Double(day)).rounded()
        // A sender may skip any number of days, so the shift is limited to a century.
        guard abs(days) <= 36_525 else { return self }
        return FixTime(.timeOfDay, nanoseconds + Int64(days) * day)
    }

    /// Returns the seconds since `earlier`; `nil` if the scales differ or the result overflows.
    package func seconds(since earlier: FixTime) -> Double? {
        guard scale == earlier.scale else { return nil }
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? nil : Double(difference) / 1e9
    }
}
