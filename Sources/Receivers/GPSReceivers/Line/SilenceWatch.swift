// SPDX-License-Identifier: MIT
package import GNSS

/// Detects that a live receiver is silent: no epoch for ten seconds or for five cycles, whichever
/// is longer, or none in the first minute.
package struct SilenceWatch {
    private static let minimumSilence = Duration.seconds(10)
    private static let maximumCycle = Duration.seconds(60)
    private static let firstEpochLimit = Duration.seconds(60)

    /// The time at which the receiver counts as silent if no epoch arrives before; `nil` during a
    /// silence.
    package private(set) var deadline: MonotonicInstant?
    private let start: MonotonicInstant
    private var last: MonotonicInstant?
    /// The longest recent interval between epochs, at most 60 s. With each epoch, the influence of
    /// earlier intervals halves.
    private var cycle = Duration.zero

    /// Creates a watch of a receiver that has just been opened.
    package init(at start: MonotonicInstant) {
        (self.start, deadline) = (start, start + Self.firstEpochLimit)
    }

    /// Records an epoch.
    package mutating func receivedEpoch(at now: MonotonicInstant) {
        if let last { cycle = max(min(last.duration(to: now), Self.maximumCycle), cycle / 2) }
        last = now
        deadline = now + max(Self.minimumSilence, cycle * 5)
    }

    /// Returns a value once when the receiver becomes silent: the seconds since the last epoch, or
    /// since the receiver was opened. Otherwise returns `nil`.
    ///
    /// If `mayHaveNoEpoch` is `true`, a receiver that has not sent an epoch yet does not count as
    /// silent: it sends only other messages, such as AIS, or another problem has been reported.
    package mutating func silence(at now: MonotonicInstant, mayHaveNoEpoch: Bool = false) -> Int? {
        guard let deadline, deadline <= now else { return nil }
        self.deadline = nil
        guard last != nil || !mayHaveNoEpoch else { return nil }
        return Int(now.seconds(since: last ?? start))
    }
}

/// The state while waiting for the first valid sentence of a live source.
struct FirstSentenceWait {
    static let limit = Duration.seconds(5)
    let deadline: MonotonicInstant
    var byteCount = 0
}
