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
    var spoofedEast = 0.0
    /// The velocity that a spoofer adds, to the north in metres per second.
    var spoofedNorthVelocity = 0.0
    /// The velocity that a spoofer adds, to the east in metres per second.
    var spoofedEastVelocity = 0.0
    /// The position of a repeater's antenna at rest, whose signals are received instead of the true
    /// ones; `nil` without a repeater.
    var repeater: Coordinate?
    /// The false signals that determine the signal strengths; `nil` to keep the true strengths.
    var falseSignals: FalseSignals?
    /// The gain (AGC) as a fraction of its normal value, 0 to 1; `nil` to compute it from
    /// `jamming`.
    var gain: Double?
    /// Whether the chip's spoofing detector reports false signals.
    var isSpoofingReported = false
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

/// The strengths of a spoofer's signals, which replace the strengths of the true signals.
struct FalseSignals: Hashable, Sendable {
    /// The mean C/N0 of the false signals in dB-Hz.
    var level: Double
    /// The fraction of the true signals' deviations from 41 dB-Hz that the attacker imitates, 0 to
    /// 1.
    var kept = 0.0
    /// The maximum random deviation of a false signal, in dB.
    var width = 0.0
    /// The progress of the transition from the true to the false C/N0, 0 to 1.
    var progress = 1.0

    /// The mean C/N0 of signals from an open sky, in dB-Hz.
    private static let openSkyLevel = 41.0

    /// Returns the received C/N0 of a satellite in dB-Hz. `own` is the C/N0 of its true signals,
    /// and `second` is the time since the first epoch in whole seconds.
    func cn0(of id: SatelliteID, _ own: Double, seed: UInt64, at second: Double) -> Double {
        var lasting = SeededGenerator(
            seed: seed ^ 0xFA15_E519 &+ id.number &* 0x9E37_79B9_7F4A_7C15)
        let moment = UInt64(max(0, second))
        var passing = SeededGenerator(seed: lasting.next() &+ moment &* 0xD1B5_4A32_D192_ED03)
        let difference = width * (lasting.unit() + passing.unit() - 1)
        let target = level + kept * (own - Self.openSkyLevel) + difference
        return own + (target - own) * progress
    }
}

extension SatelliteID {
    /// A different number for each satellite, which seeds its random numbers.
    var number: UInt64 { UInt64(constellation.rawValue) << 8 | UInt64(svid) }
}
