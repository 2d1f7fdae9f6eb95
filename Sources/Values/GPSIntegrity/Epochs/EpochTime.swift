// SPDX-License-Identifier: MIT
import GNSS

/// The time when an epoch was received.
struct EpochTime: Sendable {
    /// The time in seconds since the first fix that the `IntegrityMonitor` received. It never goes
    /// back.
    var now = 0.0
    /// The time on the machine's monotonic clock; `nil` for a recording.
    var instant: MonotonicInstant?
    /// The UTC time; `nil` if unknown.
    var time: UTCTime?
    /// The time of the system's clock; `nil` for a recording.
    var system: UTCTime?
}

/// Computes the time of an `IntegrityMonitor` from the arrival times or, for a recording, from the
/// times of the fixes.
struct Timeline: Sendable {
    /// The longest step of `EpochTime.now` in a recording, in seconds. After such a step, all
    /// history has expired. The limit keeps sums of seconds precise when a receiver corrects its
    /// date by years.
    private static let longestStep = 86_400.0

    private(set) var moment = EpochTime()
    private var fixes = FixClock()
    private var last: MonotonicInstant?

    /// Advances to a fix. Returns the seconds since the previous fix according to their own times.
    mutating func advance(to fix: Fix, _ arrival: MonotonicInstant?, _ time: UTCTime?) -> Double? {
        let step = fixes.step(to: fix)
        if let arrival, let last {
            moment.now += max(0, arrival.seconds(since: last))
        } else if arrival == nil, let step {
            moment.now += min(max(0, step), Self.longestStep)
        }
        last = arrival
        moment.instant = arrival
        moment.time = time ?? fix.time
        moment.system = time
        return step
    }

    /// Ignores the time until the next fix in a recording. Call it after a gap of unknown length.
    mutating func restart() { fixes = FixClock() }
}
