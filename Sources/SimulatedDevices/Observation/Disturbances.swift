// SPDX-License-Identifier: MIT
package import GNSS

/// The jamming, spoofing and receiver faults that affect an observation. Set them before calling
/// `Observer.observe(after:)`.
package struct Disturbances: Hashable, Sendable {
    /// The decrease of every C/N0 caused by a jammer, in dB. From about 30, no satellite is
    /// tracked.
    package var jamming = 0.0
    /// Whether the fix is lost although satellites are tracked.
    package var isFixLost = false
    /// The offset that a spoofer adds to the position, to the north in metres.
    package var spoofedNorth = 0.0
    /// The offset that a spoofer adds to the position, to the east in metres.
    package var spoofedEast = 0.0
    /// The velocity that a spoofer adds, to the north in metres per second.
    package var spoofedNorthVelocity = 0.0
    /// The velocity that a spoofer adds, to the east in metres per second.
    package var spoofedEastVelocity = 0.0
    /// The position of a repeater's antenna at rest, whose signals are received instead of the true
    /// ones; `nil` without a repeater.
    package var repeater: Coordinate?
    /// The false signals that determine the signal strengths; `nil` to keep the true strengths.
    package var falseSignals: FalseSignals?
    /// The gain (AGC) as a fraction of its normal value, 0 to 1; `nil` to compute it from
    /// `jamming`.
    package var gain: Double?
    /// Whether the chip's spoofing detector reports false signals.
    package var isSpoofingReported = false
    /// The surroundings to use instead of the configured ones; `nil` for the configured ones.
    package var surroundings: Surroundings?
    /// The offset to add to the receiver's time in nanoseconds, for example -1024 weeks.
    package var clockOffset: Int64 = 0
    /// The day that ends with a leap second (23:59:60); `nil` for none.
    package var leapSecondDay: CalendarDate?

    /// Creates disturbances without effect.
    package init() {}

    /// The clock offset of a receiver whose 10-bit week number has overflowed: -1024 weeks in
    /// nanoseconds.
    package static let weekRollover: Int64 = -1024 * 7 * 86_400 * 1_000_000_000
}
