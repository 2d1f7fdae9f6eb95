// SPDX-License-Identifier: MIT

/// Measures the time between consecutive fixes. It uses the times of the fixes or, while the date
/// is unknown, their times of day.
package struct FixClock: Sendable {
    private var last: (time: UTCTime?, day: TimeOfDay)?

    /// Creates a clock before the first fix.
    package init() {}

    /// Returns the seconds since the previous fix. The result is negative if this fix is earlier,
    /// and `nil` if either fix has no time of day.
    package mutating func step(to fix: Fix) -> Double? {
        guard let day = fix.time?.time ?? fix.timeOfDay else {
            last = nil
            return nil
        }
        defer { last = (fix.time, day) }
        guard let last else { return nil }
        if let now = fix.time, let before = last.time {
            return now.nanoseconds(since: before).map { Double($0) / 1e9 }
        }
        // Midnight may have passed between the two times of day.
        return Double(day.nanoseconds(since: last.day)) / 1e9
    }
}
