// SPDX-License-Identifier: MIT
package import GNSS

/// When a fix was, on the one scale that its receiver gives.
package struct FixTime: Hashable, Sendable {
    /// The origin of the nanoseconds.
    package enum Scale: Int, Comparable, Sendable {
        /// Fixes, a second each: neither time nor date is known.
        case order
        /// Midnight: no date is known.
        case timeOfDay
        /// 1970.
        case date

        /// Orders a scale with dates after one of times of day.
        package static func < (a: Scale, b: Scale) -> Bool { a.rawValue < b.rawValue }
    }

    package let scale: Scale
    package let nanoseconds: Int64

    /// The moment of a fix; `order` is the number of fixes before it.
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

    /// This one on a scale without dates, where midnight may have passed: as near to `earlier` as can be.
    package func unwrapped(after earlier: FixTime) -> FixTime {
        guard scale == .timeOfDay, earlier.scale == .timeOfDay else { return self }
        let day: Int64 = 86_400_000_000_000
        let days = ((Double(earlier.nanoseconds) - Double(nanoseconds)) / Double(day)).rounded()
        // No more than a century: any sender may let days pass.
        guard abs(days) <= 36_525 else { return self }
        return FixTime(.timeOfDay, nanoseconds + Int64(days) * day)
    }

    /// Seconds since another one; `nil` where that is unknown.
    package func seconds(since earlier: FixTime) -> Double? {
        guard scale == earlier.scale else { return nil }
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? nil : Double(difference) / 1e9
    }
}
