// SPDX-License-Identifier: MIT
package import GNSS

/// The time of a fix, on the scale that its receiver provides.
package struct FixTime: Hashable, Sendable {
    /// The origin of the nanoseconds.
    package enum Scale: Int, Comparable, Sendable {
        /// The first fix, counting a second per fix: neither time nor date is known.
        case order
        /// Midnight; the date is unknown.
        case timeOfDay
        /// 1 January 1970.
        case date

        /// Orders scales by their information: order, time of day, date.
        package static func < (a: Scale, b: Scale) -> Bool { a.rawValue < b.rawValue }
    }

    package let scale: Scale
    package let nanoseconds: Int64

    /// Creates the time of a fix; `order` is the number of fixes before it.
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

    /// Returns a time of day moved by whole days to be as near to `earlier` as possible, since
    /// midnight may have passed.
    package func unwrapped(after earlier: FixTime) -> FixTime {
        guard scale == .timeOfDay, earlier.scale == .timeOfDay else { return self }
        let day: Int64 = 86_400_000_000_000
        let days = ((Double(earlier.nanoseconds) - Double(nanoseconds)) / Double(day)).rounded()
        // At most a century: a sender can let any number of days pass.
        guard abs(days) <= 36_525 else { return self }
        return FixTime(.timeOfDay, nanoseconds + Int64(days) * day)
    }

    /// Returns the seconds since another time; `nil` if the scales differ.
    package func seconds(since earlier: FixTime) -> Double? {
        guard scale == earlier.scale else { return nil }
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? nil : Double(difference) / 1e9
    }
}
