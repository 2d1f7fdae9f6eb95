// SPDX-License-Identifier: MIT
package import GPSReceivers

/// Determines the second that a PPS pulse marks: the second of the epoch whose burst begins after
/// the pulse.
///
/// The last of at least three consecutive pulses at intervals of one second is used, if the burst
/// begins at most 0.9 s after it.
package struct PulseClock: Sendable {
    private static let second: Int64 = 1_000_000_000
    /// The tolerance of the interval between pulses, in nanoseconds. It allows for adjustments of
    /// the system's clock and delayed interrupts.
    private static let tolerance: Int64 = 2_000_000
    private static let maximumDelay: Int64 = 900_000_000
    private static let minimumPulses = 3

    private var last: Pulse?
    private var steadyCount = 0
    /// The indices of the receivers that have used the last pulse; `nil` stands for all receivers,
    /// if they share one clock.
    private var users: Set<Int?> = []

    /// Creates a clock without pulses.
    package init() {}

    /// Records a pulse.
    package mutating func receive(_ pulse: Pulse) {
        let interval = last.map { pulse.systemTime &- $0.systemTime }
        let isSteady = interval.map { ($0 - Self.second).magnitude <= Self.tolerance } ?? false
        steadyCount = isSteady ? steadyCount + 1 : 0
        last = pulse
        users = []
    }

    /// Returns the sample for the pulse before a burst, and marks the pulse as used by a receiver.
    /// `trueTime` is the epoch's time and `burstStart` the system's time at the start of the burst.
    /// Returns `nil` if no pulse can be used, or if the epoch is not at a whole second.
    ///
    /// `receiver` is the receiver's index if each receiver has its own clock, otherwise `nil`.
    package mutating func sample(
        trueTime: Int64, burstStart: Int64, by receiver: Int? = nil
    ) -> ClockSample? {
        guard let last, steadyCount >= Self.minimumPulses - 1, !users.contains(receiver),
            trueTime % Self.second == 0,
            0...Self.maximumDelay ~= burstStart &- last.systemTime
        else { return nil }
        users.insert(receiver)
        return ClockSample(
            trueTime: trueTime, systemTime: last.systemTime, precision: last.precision)
    }
}
