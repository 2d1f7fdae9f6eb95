// SPDX-License-Identifier: MIT
import GNSS

/// The strengths of a spoofer's signals, which replace the strengths of the true signals.
package struct FalseSignals: Hashable, Sendable {
    /// The progress of the transition from the true to the false C/N0, 0 to 1.
    package var progress = 1.0
    /// The mean C/N0 of the false signals in dB-Hz.
    package var level: Double
    /// The fraction of the true signals' deviations from 41 dB-Hz that the attacker imitates, 0 to
    /// 1.
    package var kept = 0.0
    /// The maximum random deviation of a false signal, in dB.
    package var width = 0.0

    /// The mean C/N0 of signals from an open sky, in dB-Hz.
    private static let openSkyLevel = 41.0

    /// Creates false signals.
    package init(level: Double, kept: Double = 0, width: Double = 0, progress: Double = 1) {
        self.progress = min(1, max(0, progress))
        self.level = level
        self.kept = kept
        self.width = width
    }

    /// Returns the received C/N0 of a satellite in dB-Hz. `own` is the C/N0 of its true signals,
    /// and `second` is the time since the first epoch in whole seconds.
    func cn0(of id: SatelliteID, _ own: Double, seed: UInt64, at second: Double) -> Double {
        let number = UInt64(id.constellation.rawValue) << 8 | UInt64(id.svid)
        var lasting = SeededGenerator(seed: seed ^ 0xFA15_E519 &+ number &* 0x9E37_79B9_7F4A_7C15)
        let moment = UInt64(max(0, second))
        var passing = SeededGenerator(seed: lasting.next() &+ moment &* 0xD1B5_4A32_D192_ED03)
        let difference = width * (lasting.unit() + passing.unit() - 1)
        let target = level + kept * (own - Self.openSkyLevel) + difference
        return own + (target - own) * progress
    }
}
