// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Satellites that rise and set: enough to look at, not orbits.
struct SimulatedSky: Sendable {
    /// One satellite above the horizon.
    struct Sighting {
        var id: SatelliteID
        /// Degrees above the horizon.
        var elevation: Double
        /// Degrees true.
        var azimuth: Double
        /// dB-Hz; `nil` where it is too low to be tracked.
        var cn0: Double?
    }

    /// A receiver uses what stands higher than this, in degrees.
    static let mask = 10.0

    private struct Orbit {
        var id: SatelliteID
        var highest: Double
        var azimuth: Double
        var phase: Double
        var period: Double
    }

    private let orbits: [Orbit]

    /// The sky of a seed: GPS and GLONASS.
    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var orbits: [Orbit] = []
        func add(_ constellation: Constellation, _ numbers: [Int], period: Double) {
            for number in numbers {
                guard let id = SatelliteID(constellation, number) else { continue }
                orbits.append(
                    Orbit(
                        id: id, highest: 25 + 60 * random.unit(), azimuth: 360 * random.unit(),
                        phase: 2 * .pi * random.unit(), period: period))
            }
        }
        add(.gps, Array(3...24), period: 43_080)
        add(.glonass, Array(1...18), period: 40_530)
        self.orbits = orbits
    }

    /// What is above the horizon; the signal strength wavers with `random`.
    func sightings(after seconds: Double, _ random: inout SeededGenerator) -> [Sighting] {
        orbits.compactMap { orbit in
            let turn = 2 * .pi * seconds / orbit.period + orbit.phase
            let elevation = orbit.highest * sin(turn)
            let waver = random.normal()
            guard elevation > 1 else { return nil }
            let azimuth = orbit.azimuth + 120 * cos(turn)
            let strength = 26 + 22 * sin(elevation * .pi / 180) + waver
            return Sighting(
                id: orbit.id, elevation: elevation.rounded(),
                azimuth: (azimuth + 360).truncatingRemainder(dividingBy: 360).rounded(.down),
                cn0: elevation > Self.mask / 2 ? strength.rounded() : nil)
        }
    }
}
