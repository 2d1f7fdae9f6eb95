// SPDX-License-Identifier: MIT
package import GPSReceivers

/// Finds the second that a pulse marks: that of the epoch whose burst begins after it.
///
/// A pulse is used once three have come a second apart, and only where the burst begins less than nine tenths
/// of a second later.
package struct PulseClock: Sendable {
    private static let second: Int64 = 1_000_000_000
    /// The tolerance of a pulse's time, in nanoseconds: the system's clock may be set, or an interrupt delayed.
    private static let tolerance: Int64 = 2_000_000
    private static let longestDelay: Int64 = 900_000_000
    private static let needed = 3

    private var last: Pulse?
    private var steadyCount = 0
    private var isUsed = false

    /// Creates a clock that has seen no pulse.
    package init() {}

    /// Call with each pulse.
    package mutating func receive(_ pulse: Pulse) {
        let interval = last.map { pulse.systemTime &- $0.systemTime }
        let isSteady = interval.map { ($0 - Self.second).magnitude <= Self.tolerance } ?? false
        steadyCount = isSteady ? steadyCount + 1 : 0
        last = pulse
        isUsed = false
    }

    /// The sample of the pulse before a burst, given the time of its epoch and when the burst began by the
    /// system's clock. `nil` if there was none, or the epoch is not a whole second.
    package mutating func sample(trueTime: Int64, burstStart: Int64) -> ClockSample? {
        guard let last, steadyCount >= Self.needed - 1, !isUsed,
            trueTime % Self.second == 0,
            0...Self.longestDelay ~= burstStart &- last.systemTime
        else { return nil }
        isUsed = true
        return ClockSample(
            trueTime: trueTime, systemTime: last.systemTime, precision: last.precision)
    }
}
