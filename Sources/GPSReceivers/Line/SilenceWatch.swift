// SPDX-License-Identifier: MIT
package import GNSS

/// Detects that a live receiver is silent: ten seconds without an epoch, or five cycles if that is
/// longer.
package struct SilenceWatch {
    private static let shortest = Duration.seconds(10)
    private static let longestCycle = Duration.seconds(60)

    /// The time at which the receiver counts as silent without another epoch; `nil` before the
    /// first epoch and during a silence.
    package private(set) var deadline: MonotonicInstant?
    package private(set) var isSilent = false
    private var last: MonotonicInstant?
    /// The longest recent cycle; older cycles count less, by half with each epoch.
    private var cycle = Duration.zero

    /// Creates a watch that starts with the first epoch.
    package init() {}

    /// Records an epoch.
    package mutating func receivedEpoch(at now: MonotonicInstant) {
        if let last { cycle = max(min(last.duration(to: now), Self.longestCycle), cycle / 2) }
        (last, isSilent) = (now, false)
        deadline = now + max(Self.shortest, cycle * 5)
    }

    /// Returns the seconds since the last epoch, once, when the receiver becomes silent; `nil`
    /// otherwise.
    package mutating func silence(at now: MonotonicInstant) -> Int? {
        guard let deadline, let last, deadline <= now else { return nil }
        (self.deadline, isSilent) = (nil, true)
        return Int(now.seconds(since: last))
    }
}
