// SPDX-License-Identifier: MIT
package import GNSS

/// Decides when a live receiver has fallen silent: ten seconds after its last epoch, or five cycles where these take
/// longer.
package struct SilenceWatch {
    private static let shortest = Duration.seconds(10)
    private static let longestCycle = Duration.seconds(60)

    /// When the receiver counts as silent unless an epoch comes before; `nil` before the first, and while it is silent.
    package private(set) var deadline: MonotonicInstant?
    package private(set) var isSilent = false
    private var last: MonotonicInstant?
    /// The longest of the last cycles: each counts half as much as the one after it.
    private var cycle = Duration.zero

    /// Begins before the first epoch.
    package init() {}

    /// Takes note of an epoch.
    package mutating func receivedEpoch(at now: MonotonicInstant) {
        if let last { cycle = max(min(last.duration(to: now), Self.longestCycle), cycle / 2) }
        (last, isSilent) = (now, false)
        deadline = now + max(Self.shortest, cycle * 5)
    }

    /// For how many seconds nothing has come, once that makes the receiver silent; `nil` afterwards.
    package mutating func silence(at now: MonotonicInstant) -> Int? {
        guard let deadline, let last, deadline <= now else { return nil }
        (self.deadline, isSilent) = (nil, true)
        return Int(now.seconds(since: last))
    }
}
