// SPDX-License-Identifier: MIT
package import GNSS

/// The nominal orbits of each constellation. The numbering of satellites does not match a real
/// almanac.
package enum NominalConstellation {
    /// Returns the orbits of a constellation; empty for NavIC, which is not simulated.
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

    /// Returns the orbits of a Walker 24/3/1 constellation: three planes, 120° apart, with eight
    /// satellites each. The satellites of each plane are 15° ahead of the satellites of the
    /// previous plane. Angles are in degrees, the epoch in days since J2000.
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

    /// The shape of a geostationary orbit.
    static let stationary = Orbit.Shape(semiMajor: 42_164_200, inclination: 0)
}

extension NominalConstellation {
    /// The 24 slots of the GPS performance standard, epoch 1 July 1993. Three of them are expanded
    /// to two, and four satellites fill the widest gaps, so there are 31 satellites.
    static let gps: [Orbit] = {
        let shape = Orbit.Shape(
            semiMajor: 26_559_700, inclination: 55, revolutions: 2, days: 1)
        let epoch = -2_376.5
        return gpsPlanes.flatMap { plane in
            plane.slots.compactMap { number, argument in
                SatelliteID(.gps, number).map {
                    Orbit($0, shape, node: plane.node, argument: argument, epoch: epoch)
                }
            }
        }
    }()

    /// An orbital plane: the right ascension of its node, and the numbers and arguments of latitude
    /// of its satellites, in degrees.
    private typealias Plane = (node: Double, slots: [(number: Int, argument: Double)])

    private static let gpsPlanes: [Plane] = [
        (272.847, [(24, 268.126), (31, 161.786), (30, 11.676), (7, 41.806), (9, 101.796)]),
        (332.847, [(16, 94.916), (26, 66.356), (25, 173.336), (28, 309.976), (12, 204.376)]),
        (32.847, [(29, 111.876), (27, 11.796), (8, 339.666), (17, 241.556), (19, 176.716)]),
        (92.847, [(2, 135.226), (1, 282.676), (11, 257.976), (21, 35.156), (6, 167.356)]),
        (
            152.847,
            [
                (3, 197.046), (10, 302.596), (5, 66.066), (20, 333.686), (18, 131.556),
                (22, 249.821),
            ]
        ),
        (212.847, [(32, 238.886), (15, 0.456), (13, 334.016), (23, 105.206), (14, 135.346)]),
    ]
}

extension NominalConstellation {
    /// GLONASS: 24 satellites in three planes. The ground track repeats after 17 revolutions in 8
    /// days. Node and argument refer to the epoch of the interface control document, the beginning
    /// of 1983 in Moscow.
    static let glonass = walker(
        ids(.glonass, Array(1...24)),
        Orbit.Shape(semiMajor: 25_508_000, inclination: 64.8, revolutions: 17, days: 8),
        node: 251.25, argument: 145.4436, epoch: -6_209.625)

    /// Galileo's reference constellation: 24 satellites in three planes, epoch 21 March 2010. The
    /// ground track repeats after 17 revolutions in 10 days.
    static let galileo = walker(
        ids(.galileo, Array(1...24)),
        Orbit.Shape(semiMajor: 29_600_318, inclination: 56, revolutions: 17, days: 10),
        node: 25, argument: 338.333, epoch: 3_731.5)

    /// BeiDou-3: 24 satellites in three planes (13 revolutions in 7 days), 3 satellites in inclined
    /// geosynchronous orbits around 118° E, and 3 geostationary satellites.
    static let beiDou: [Orbit] = {
        let medium = walker(
            ids(.beiDou, Array(19...30) + Array(32...37) + Array(41...46)),
            Orbit.Shape(semiMajor: 27_906_100, inclination: 55, revolutions: 13, days: 7),
            node: 0, argument: 0, epoch: 7_304.5)
        let inclined = Orbit.Shape(semiMajor: 42_164_200, inclination: 55)
        let eights = ids(.beiDou, [38, 39, 40]).enumerated().map { index, id in
            Orbit(id, inclined, longitude: 118, node: 120 * Double(index))
        }
        return medium + eights + above(.beiDou, [(59, 140), (60, 80), (61, 110.5)])
    }()

    /// QZSS: three satellites in elliptical geosynchronous orbits with their apogees over Japan,
    /// and a geostationary satellite.
    static let qzss: [Orbit] = {
        let shape = Orbit.Shape(
            semiMajor: 42_164_200, inclination: 41, eccentricity: 0.075, argumentOfPerigee: 270)
        let eights = ids(.qzss, [2, 3, 4]).enumerated().map { index, id in
            Orbit(id, shape, longitude: 136, node: 120 * Double(index))
        }
        return eights + above(.qzss, [(7, 127)])
    }()

    /// WAAS, EGNOS, MSAS, GAGAN, SDCM, BDSBAS, KASS and SouthPAN at their geostationary positions.
    static let sbas = above(
        .sbas,
        [
            (121, -5), (122, 143.5), (123, 31.5), (125, -16), (127, 55), (128, 83), (129, 127),
            (130, 80), (131, -117), (133, -129), (134, 91.5), (135, -125), (136, 5), (140, 95),
            (141, 167), (143, 110.5), (144, 140),
        ])

    private static func above(
        _ constellation: Constellation, _ places: [(number: Int, longitude: Double)]
    ) -> [Orbit] {
        places.compactMap { number, longitude in
            SatelliteID(constellation, number).map {
                Orbit($0, stationary, longitude: longitude)
            }
        }
    }
}
