// SPDX-License-Identifier: MIT
package import GNSS

/// The satellites of a constellation as it is meant to be. Their numbers are not those of any
/// day's almanac.
package enum NominalConstellation {
    /// Its orbits; none for a constellation that is not simulated (NavIC).
    package static func orbits(of constellation: Constellation) -> [Orbit] {
        switch constellation {
        case .gps: gps
        case .glonass: glonass
        case .galileo: galileo
        case .beiDou: beiDou
        case .qzss: qzss
        case .sbas: sbas
        case .navIC: []
        }
    }

    /// Planes a third of a turn apart with eight satellites each, each plane 15° ahead of the one
    /// before: Walker 24/3/1.
    static func walker(
        _ ids: [SatelliteID], _ shape: Orbit.Shape, node: Double, argument: Double, epoch: Double
    ) -> [Orbit] {
        ids.enumerated().map { index, id in
            let plane = Double(index / 8)
            return Orbit(
                id, shape, node: node + 120 * plane,
                argument: argument + 45 * Double(index % 8) + 15 * plane, epoch: epoch)
        }
    }

    static func ids(_ constellation: Constellation, _ numbers: [Int]) -> [SatelliteID] {
        numbers.compactMap { SatelliteID(constellation, $0) }
    }

    /// One turn a day above the equator.
    static let stationary = Orbit.Shape(semiMajor: 42_164_200, inclination: 0)
}
