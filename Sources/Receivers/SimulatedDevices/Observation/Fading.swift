// SPDX-License-Identifier: MIT
import GNSS

/// Simulates the C/N0 of satellites. It depends on the elevation, differs between satellites, and
/// varies slowly. Reflections from walls add fading.
struct Fading: Sendable {
    private static let slots = 8 * 256
    private static let time = 60.0
    private static let deviation = 1.2
    /// The power of the direct signal divided by the total power of all reflections from walls.
    ///
    /// The value is 7 dB. 3GPP TR 38.811 lists 7.4 to 9.3 dB between 20° and 50°, and 4.4 dB at
    /// 10°, for a direct signal between tall houses (dense urban, S band).
    private static let directPower = 5.0
    /// The correlation time of reflections in seconds. For a receiver at rest with a wall 15 m
    /// away, the path of the reflected signal changes by half a wavelength while the satellite
    /// moves for 20 s.
    private static let reflectedTime = 20.0

    /// The slow variation in dB, indexed by `SatelliteID.number`.
    private var slowVariation: [Double]
    private var random: SeededGenerator
    /// The amplitudes of reflections relative to the direct signal, in phase and in quadrature,
    /// indexed by `SatelliteID.number`; empty without reflections.
    private var reflections: [(inPhase: Double, across: Double)] = []
    /// The random generator for reflections. It is separate from `random`, so that the slow
    /// variation is the same with and without walls.
    private var reflectedRandom: SeededGenerator
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        slowVariation = [Double](repeating: 0, count: Self.slots)
        random = SeededGenerator(seed: seed ^ 0x5EED_0FAD_1406_0003)
        reflectedRandom = SeededGenerator(seed: seed ^ 0x5EED_0FAD_1406_0004)
    }

    /// Advances the random variation of all satellites in `sightings` by a number of seconds.
    mutating func advance(by seconds: Double, _ sightings: [Sighting], hasMultipath: Bool) {
        let process = Process(Self.deviation, Self.time, seconds)
        for sighting in sightings {
            process.advance(&slowVariation[Int(sighting.id.number)], &random)
        }
        guard hasMultipath else { return reflections = [] }
        let isFirst = reflections.isEmpty
        if isFirst { reflections = Array(repeating: (0, 0), count: Self.slots) }
        let reflected = Process(
            (0.5 / Self.directPower).squareRoot(), Self.reflectedTime,
            isFirst ? .infinity : seconds)
        for sighting in sightings {
            let slot = Int(sighting.id.number)
            reflected.advance(&reflections[slot].inPhase, &reflectedRandom)
            reflected.advance(&reflections[slot].across, &reflectedRandom)
        }
    }

    /// A first-order Gauss-Markov process: the old value decays exponentially, and noise keeps the
    /// variance constant.
    private struct Process {
        private let factor: Double
        private let fresh: Double

        init(_ deviation: Double, _ time: Double, _ seconds: Double) {
            factor = PortableMath.exp(-max(0, seconds) / time)
            fresh = deviation * (1 - factor * factor).squareRoot()
        }

        func advance(_ value: inout Double, _ random: inout SeededGenerator) {
            value = value * factor + fresh * random.normal()
        }
    }

    /// Returns the C/N0 of the main signal in dB-Hz: about 33 at the horizon and 48 at the zenith.
    /// If `isHidden` is `true` (behind a wall), only reflections are received; without reflections,
    /// returns `nil`.
    func cn0(of sighting: Sighting, isHidden: Bool) -> Double? {
        let slot = Int(sighting.id.number)
        var own = SeededGenerator(seed: seed &+ UInt64(slot))
        let direct = 33 + 15 * sighting.direction.z + 3 * (own.unit() - 0.5) + slowVariation[slot]
        guard !reflections.isEmpty else { return isHidden ? nil : direct }
        let (inPhase, across) = reflections[slot]
        let sum = (isHidden ? 0 : 1) + inPhase
        return direct + 10 * PortableMath.log10(max(sum * sum + across * across, 1e-6))
    }
}
