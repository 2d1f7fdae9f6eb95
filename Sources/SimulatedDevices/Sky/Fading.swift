// SPDX-License-Identifier: MIT
import GNSS

/// The signal strengths of satellites: they depend on elevation, differ between satellites, and
/// vary slowly.
struct Fading: Sendable {
    private static let slots = 8 * 256
    private static let time = 60.0
    private static let deviation = 1.2

    /// The slow variation in dB, by constellation and number.
    private var slowVariation: [Double]
    private var random: SeededGenerator
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        slowVariation = [Double](repeating: 0, count: Self.slots)
        random = SeededGenerator(seed: seed ^ 0x5EED_0FAD_1406_0003)
    }

    /// Advances the variation by some seconds.
    mutating func advance(by seconds: Double, _ sightings: [Sighting]) {
        let factor = PortableMath.exp(-max(0, seconds) / Self.time)
        let fresh = Self.deviation * (1 - factor * factor).squareRoot()
        for sighting in sightings {
            let slot = Self.slot(sighting.id)
            slowVariation[slot] = slowVariation[slot] * factor + fresh * random.normal()
        }
    }

    /// Returns the carrier-to-noise density of the first signal in dB-Hz: about 33 at the horizon,
    /// 48 at the zenith.
    func cn0(of sighting: Sighting) -> Double {
        let slot = Self.slot(sighting.id)
        var own = SeededGenerator(seed: seed &+ UInt64(slot))
        return 33 + 15 * sighting.direction.z + 3 * (own.unit() - 0.5) + slowVariation[slot]
    }

    private static func slot(_ id: SatelliteID) -> Int {
        Int(id.constellation.rawValue) << 8 | Int(id.svid)
    }
}
