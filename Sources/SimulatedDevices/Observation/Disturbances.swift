// SPDX-License-Identifier: MIT
package import GNSS

/// External disturbances of an epoch; set before `Observer.observe(after:)`.
package struct Disturbances: Hashable, Sendable {
    /// The decrease of every C/N0 by a jammer, in dB; from about 30 no satellite is tracked.
    package var jamming = 0.0
    /// Whether the fix is lost although satellites are tracked.
    package var isFixLost = false
    /// The offset of the solution to the north by a spoofer, in metres.
    package var spoofedNorth = 0.0
    /// The offset to the east, in metres.
    package var spoofedEast = 0.0
    /// The offset upwards, in metres.
    package var spoofedUp = 0.0
    /// The velocity to the north that is added to the true one, in metres per second.
    package var spoofedNorthVelocity = 0.0
    /// The velocity to the east, in metres per second.
    package var spoofedEastVelocity = 0.0
    /// The antenna whose signals are received instead of the true ones; it is at rest.
    package var repeater: Coordinate?
    /// The strengths of false signals; `nil` for those of the sky.
    package var falseSignals: FalseSignals?
    /// The share of its usual value to which the gain control attenuates; `nil` for the one that
    /// follows from `jamming`.
    package var gain: Double?
    /// Whether a chip's detector of false signals reports them.
    package var isSpoofingReported = false
    /// The surroundings, instead of the configured ones.
    package var surroundings: Surroundings?
    /// Nanoseconds added to the receiver's time, for example -1024 weeks.
    package var clockOffset: Int64 = 0
    /// The day that ends with a leap second (23:59:60).
    package var leapSecondDay: CalendarDate?

    /// Creates disturbances without effect.
    package init() {}

    /// The offset of a receiver whose week counter has overflowed: -1024 weeks in nanoseconds.
    package static let weekRollover: Int64 = -1024 * 7 * 86_400 * 1_000_000_000
}
