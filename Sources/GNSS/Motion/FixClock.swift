// SPDX-License-Identifier: MIT

/// Seconds between fixes, by their times or, before there is a date, by the time of day.
package struct FixClock: Sendable {
    private var last: (time: UTCTime?, day: TimeOfDay)?

    /// Creates a clock that has no fix yet.
    package init() {}

    /// Seconds since the last fix, below zero where this one is earlier; `nil` if either has no time.
    package mutating func step(to fix: Fix) -> Double? {
        guard let day = fix.time?.time ?? fix.timeOfDay else {
            last = nil
            return nil
        }
        defer { last = (fix.time, day) }
        guard let last else { return nil }
        if let now = fix.time, let before = last.time {
            let (step, overflow) = now.unixNanoseconds.subtractingReportingOverflow(
                before.unixNanoseconds)
            return overflow ? nil : Double(step) / 1e9
        }
        // Midnight may have passed.
        return (Double(day.nanoseconds - last.day.nanoseconds) / 1e9).remainder(dividingBy: 86_400)
    }
}
