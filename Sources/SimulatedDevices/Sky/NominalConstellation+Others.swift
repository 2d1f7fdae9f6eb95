// SPDX-License-Identifier: MIT
import GNSS

extension NominalConstellation {
    /// 24 in three planes; the ground track repeats after 17 revolutions in 8 days. Node and argument
    /// are those of the interface control document's epoch, the beginning of 1983 in Moscow.
    static let glonass = walker(
        ids(.glonass, Array(1...24)),
        Orbit.Shape(semiMajor: 25_508_000, inclination: 64.8, revolutions: 17, days: 8),
        node: 251.25, argument: 145.4436, epoch: -6_209.625)

    /// The reference constellation: 24 in three planes, of its epoch 21 March 2010; the ground track
    /// repeats after 17 revolutions in 10 days.
    static let galileo = walker(
        ids(.galileo, Array(1...24)),
        Orbit.Shape(semiMajor: 29_600_318, inclination: 56, revolutions: 17, days: 10),
        node: 25, argument: 338.333, epoch: 3_731.5)

    /// BeiDou-3: 24 in three planes (13 revolutions in 7 days), 3 in figures of eight around 118° E,
    /// and 3 that stand above the equator.
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

    /// Three in lopsided figures of eight that linger above Japan, one that stands.
    static let qzss: [Orbit] = {
        let shape = Orbit.Shape(
            semiMajor: 42_164_200, inclination: 41, eccentricity: 0.075, argumentOfPerigee: 270)
        let eights = ids(.qzss, [2, 3, 4]).enumerated().map { index, id in
            Orbit(id, shape, longitude: 136, node: 120 * Double(index))
        }
        return eights + above(.qzss, [(7, 127)])
    }()

    /// WAAS, EGNOS, MSAS, GAGAN, SDCM, BDSBAS, KASS and SouthPAN, where they stand.
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
