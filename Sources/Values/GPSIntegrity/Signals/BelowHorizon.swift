// SPDX-License-Identifier: MIT
import GNSS

/// Detects a fix that uses a satellite below the horizon.
struct BelowHorizon: SkyTest {
    static let name = Integrity.Test.belowHorizon
    static let evidence = Integrity.Evidence.signals
    static let unit = "deg"

    /// The angle below the horizon, in degrees, at which a satellite can still be received. The
    /// atmosphere bends signals around the horizon by up to 0.7°, and elevations are rounded to
    /// whole degrees.
    private static let refraction = 1.0

    static func text(_ finding: Finding) -> String {
        let degrees = String(-finding.value, atMostDecimals: 1)
        return "a satellite \(degrees) degrees below the horizon is used"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        // At high altitude, satellites are visible slightly below an elevation of 0°.
        let height = max(0, min(sky.altitude ?? 0, 100_000))
        let dip = (2 * height / WGS84.semiMajor).squareRoot().degrees
        let horizon = -dip - Self.refraction
        var lowest: Double?
        for signal in sky.view.signals {
            guard let elevation = signal.elevation, sky.view.used.contains(signal.id) else {
                continue
            }
            lowest = min(lowest ?? elevation, elevation)
        }
        guard let lowest else { return .unavailable }
        guard lowest < horizon else { return .quiet }
        return .found(.soft, lowest, beyond: horizon)
    }
}
