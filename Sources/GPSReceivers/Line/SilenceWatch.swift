// SPDX-License-Identifier: MIT
package import GNSS

/// Detects that a live receiver is silent: no epoch for ten seconds or for five cycles, whichever
/// is longer.
package struct SilenceWatch {
    private static let minimumSilence = Duration.seconds(10)
    private static let maximumCycle = Duration.seconds(60)

    /// The time at which the receiver counts as silent if no epoch arrives before; `nil` before the
    /// first epoch and during a silence.
    package private(set) var deadline: MonotonicInstant?
    package private(set) var isSilent = false
    private var last: MonotonicInstant?
    /// The longest recent interval between epochs. With each epoch, the weight of older intervals
    /// halves.
    private var cycle = Duration.zero

    /// Creates a watch. It becomes active with the first epoch.
    package init() {}

    /// Records an epoch.
    package mutating func receivedEpoch(at now: MonotonicInstant) {
        if let last { cycle = max(min(last.duration(to: now), Self.maximumCycle), cycle / 2) }
        (last, isSilent) = (now, false)
        deadline = now + max(Self.minimumSilence, cycle * 5)
    }

    /// When the receiver becomes silent, returns the seconds since the last epoch once; otherwise
    /// `nil`.
    package mutating func silence(at now: MonotonicInstant) -> Int? {
        guard let deadline, let last, deadline <= now else { return nil }
        (self.deadline, isSilent) = (nil, true)
        return Int(now.seconds(since: last))
    }
}
