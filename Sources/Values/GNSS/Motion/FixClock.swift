// SPDX-License-Identifier: MIT

/// Determines after which times between two fixes a segment ends.
///
/// With the default limit, a track whose fixes are usually farther apart has no gaps until ten times
/// its shortest step. Otherwise each of its fixes would be a segment.
package struct SegmentGap: Hashable, Sendable {
    /// The default limit in seconds.
    package static let usual = 60.0

    private let limit: Double
    /// The shortest step so far in seconds; 0 if it is a tenth of the limit or less, and `nil`
    /// before the first one.
    private var shortest: Double?

    /// Creates a rule for gaps of more than `limit` seconds.
    package init(limit: Double) {
        self.limit = limit
        if limit != Self.usual { shortest = 0 }
    }

    /// Returns whether there is a gap between two fixes, `step` seconds apart.
    package mutating func isGap(_ step: Double) -> Bool {
        guard step >= 0 else { return true }
        guard shortest != 0 else { return step > limit }
        let known = shortest
        shortest = step <= limit / 10 ? 0 : min(known ?? step, step)
        return known.map { step > max(limit, 10 * $0) } ?? false
    }

    /// Forgets the steps so far, because the next fixes are from another source.
    package mutating func restart() { self = SegmentGap(limit: limit) }
}

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
