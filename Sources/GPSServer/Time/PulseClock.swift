// SPDX-License-Identifier: MIT
package import GPSReceivers

/// Determines which second a pulse marks: that of the epoch whose burst begins after it.
///
/// A pulse is used after three in a row one second apart, if the burst begins less than 0.9 s after
/// it.
package struct PulseClock: Sendable {
    private static let second: Int64 = 1_000_000_000
    /// The tolerance in nanoseconds: the system's clock may be adjusted, or an interrupt delayed.
    private static let tolerance: Int64 = 2_000_000
    private static let longestDelay: Int64 = 900_000_000
    private static let needed = 3

    private var last: Pulse?
    private var steadyCount = 0
    private var isUsed = false

    /// Creates a clock without pulses.
    package init() {}

    /// Records a pulse.
    package mutating func receive(_ pulse: Pulse) {
        let interval = last.map { pulse.systemTime &- $0.systemTime }
        let isSteady = interval.map { ($0 - Self.second).magnitude <= Self.tolerance } ?? false
        steadyCount = isSteady ? steadyCount + 1 : 0
        last = pulse
        isUsed = false
    }

    /// Returns the sample of the pulse before a burst, from the epoch's time and the start of the
    /// burst by the system's clock. Returns `nil` without such a pulse, or if the epoch is not a
    /// whole second.
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
