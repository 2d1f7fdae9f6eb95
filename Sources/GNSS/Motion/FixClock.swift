// SPDX-License-Identifier: MIT

/// Measures the time between consecutive fixes. It uses the times of the fixes or, while the date
/// is unknown, their times of day.
package struct FixClock: Sendable {
    private var last: (time: UTCTime?, day: TimeOfDay)?
    /// Whether the last fix still had the previous date after midnight.
    private var hadPreviousDate = false

    /// Creates a clock before the first fix.
    package init() {}

    /// Returns the seconds since the previous fix. The result is negative if this fix is earlier,
    /// and `nil` if either fix has no time of day. If a receiver changes the date some seconds after
    /// midnight, the times of day are compared until it has changed it.
    package mutating func step(to fix: Fix) -> Double? {
        guard let day = fix.time?.time ?? fix.timeOfDay else {
            last = nil
            return nil
        }
        let wasPrevious = hadPreviousDate
        hadPreviousDate = false
        defer { last = (fix.time, day) }
        guard let last else { return nil }
        if let now = fix.time, let before = last.time {
            let isStepBack = now.hasPreviousDate(comparedTo: before)
            hadPreviousDate =
                isStepBack
                || wasPrevious && now.date == before.date
                    && now.time.nanoseconds < UTCTime.longestDateDelay
            let isCorrection =
                wasPrevious && now.date == before.date.adding(days: 1)
                && now.time.nanoseconds >= before.time.nanoseconds
            guard isStepBack || isCorrection else {
                return now.nanoseconds(since: before).map { Double($0) / 1e9 }
            }
        }
        // Midnight may have passed between the two times of day.
        return Double(day.nanoseconds(since: last.day)) / 1e9
    }
}
