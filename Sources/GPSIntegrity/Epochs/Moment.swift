// SPDX-License-Identifier: MIT
import GNSS

/// When an epoch was received.
struct Moment: Sendable {
    /// Seconds of the monitor's time, which never goes back.
    var now = 0.0
    /// By the machine's monotonic clock; `nil` for a recording.
    var instant: MonotonicInstant?
    /// UTC, as far as it is known.
    var time: UTCTime?
}

/// The monitor's time: by arrival, or for a recording by the times of its fixes.
struct Timeline: Sendable {
    private(set) var moment = Moment()
    private var fixes = FixClock()
    private var last: MonotonicInstant?

    /// Advances to a fix; returns the seconds since the previous one by its own time.
    mutating func advance(to fix: Fix, _ arrival: MonotonicInstant?, _ time: UTCTime?) -> Double? {
        let step = fixes.step(to: fix)
        if let arrival, let last {
            moment.now += max(0, arrival.seconds(since: last))
        } else if arrival == nil, let step {
            moment.now += max(0, step)
        }
        last = arrival
        moment.instant = arrival
        moment.time = time ?? fix.time
        return step
    }

    /// Advances to an instant without a fix.
    mutating func advance(to instant: MonotonicInstant) {
        if let last { moment.now += max(0, instant.seconds(since: last)) }
        last = instant
        moment.instant = instant
    }

    /// Begins anew after a gap in the data, whose length is unknown for a recording.
    mutating func restart() { fixes = FixClock() }
}
