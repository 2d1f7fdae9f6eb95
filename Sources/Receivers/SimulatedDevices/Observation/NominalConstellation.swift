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
    private static func walker(
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
    private static let stationary = Orbit.Shape(semiMajor: 42_164_200, inclination: 0)
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
    private static let beiDou: [Orbit] = {
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
    private static let qzss: [Orbit] = {
        let shape = Orbit.Shape(
            semiMajor: 42_164_200, inclination: 41, eccentricity: 0.075, argumentOfPerigee: 270)
        let eights = ids(.qzss, [2, 3, 4]).enumerated().map { index, id in
            Orbit(id, shape, longitude: 136, node: 120 * Double(index))
        }
        return eights + above(.qzss, [(7, 127)])
    }()

    /// WAAS, EGNOS, MSAS, GAGAN, SDCM, BDSBAS, KASS and SouthPAN at their geostationary positions.
    private static let sbas = above(
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

/// A satellite's orbit as mean Keplerian elements.
///
/// Operators keep each satellite in an orbit whose ground track repeats after a fixed number of
/// days. The speed along the orbit is computed from this period. The node drifts because of the
/// Earth's flattening (J2). The attraction of sun and moon is ignored.
package struct Orbit: Sendable {
    /// The shape and motion shared by a constellation's satellites.
    struct Shape: Hashable, Sendable {
        /// The semi-major axis in metres.
        var semiMajor: Double
        /// The inclination in degrees.
        var inclination: Double
        /// The eccentricity; 0 for a circle.
        var eccentricity = 0.0
        /// The argument of perigee in degrees.
        var argumentOfPerigee = 0.0
        /// The number of revolutions until the ground track repeats.
        var revolutions = 1.0
        /// The number of days until the ground track repeats. Each day is one turn of the Earth
        /// relative to the orbital plane.
        var days = 1.0
    }

    /// The geographic longitude of a plane's ascending node: its rate in turns per day, and its
    /// value at J2000 in turns.
    struct Node: Hashable, Sendable {
        var rate: Double
        var start: Double

        /// Returns the sine and cosine of the longitude at a time.
        func direction(daysSinceJ2000 days: Double) -> (sin: Double, cos: Double) {
            PortableMath.sinCos(2 * .pi * Orbit.fraction(start + rate * days))
        }
    }

    /// The satellite's id.
    package let id: SatelliteID
    /// The ascending node of the satellite's orbital plane.
    let node: Node
    /// The mean argument of latitude: its rate in turns per day, and its value at J2000 in turns.
    private let argument: (rate: Double, start: Double)
    /// The Earth-fixed position of a geostationary satellite in metres; `nil` for other orbits.
    private var fixed: Vector?
    private let semiMajor: Double
    private let eccentricity: Double
    private let perigee: Double
    private let inclination: (sin: Double, cos: Double)

    /// Creates an orbit from the node's right ascension and the mean argument of latitude, both in
    /// degrees, at an epoch in days since J2000.
    init(
        _ id: SatelliteID, _ shape: Shape, node: Double, argument: Double, epoch: Double
    ) {
        self.id = id
        semiMajor = shape.semiMajor
        eccentricity = shape.eccentricity
        perigee = shape.argumentOfPerigee.radians
        inclination = PortableMath.sinCos(shape.inclination.radians)
        let ratio =
            WGS84.semiMajor
            / (shape.semiMajor * (1 - shape.eccentricity * shape.eccentricity))
        let perDay = shape.revolutions / shape.days
        let drift = -1.5 * Earth.j2 * ratio * ratio * inclination.cos * perDay * Earth.turnsPerDay
        // Angles are in turns, so that whole turns can be dropped.
        let along = perDay * (Earth.turnsPerDay - drift)
        let below = drift - Earth.turnsPerDay
        let longitude = (node - Earth.siderealAngle(epoch)) / 360
        self.argument = (along, Self.fraction(argument / 360 - along * epoch))
        self.node = Node(rate: below, start: Self.fraction(longitude - below * epoch))
        guard shape.inclination == 0, shape.eccentricity == 0 else { return }
        fixed = position(daysSinceJ2000: 0)
    }

    /// Creates a geosynchronous orbit from its mean longitude and the node's right ascension at
    /// J2000, both in degrees.
    init(_ id: SatelliteID, _ shape: Shape, longitude: Double, node: Double = 0) {
        let argument = longitude - node + Earth.siderealAngle(0)
        self.init(id, shape, node: node, argument: argument, epoch: 0)
    }

    /// The elements at a time: angles in radians, and rates in radians per day. The node is its
    /// geographic longitude, and the argument that of the mean latitude.
    typealias Elements = (
        node: Double, nodeRate: Double, argument: Double, argumentRate: Double,
        inclination: Double, eccentricity: Double, perigee: Double
    )

    func elements(daysSinceJ2000 days: Double) -> Elements {
        let turn = 2 * Double.pi
        return (
            turn * Self.fraction(node.start + node.rate * days), turn * node.rate,
            turn * Self.fraction(argument.start + argument.rate * days), turn * argument.rate,
            PortableMath.atan2(inclination.sin, inclination.cos), eccentricity, perigee
        )
    }

    /// The rate of the mean argument of latitude in degrees per day.
    package var argumentRate: Double { argument.rate * 360 }

    /// Returns the Earth-fixed position in metres.
    package func position(daysSinceJ2000 days: Double) -> Vector {
        position(daysSinceJ2000: days, node.direction(daysSinceJ2000: days))
    }

    /// Returns the Earth-fixed position in metres. `ascending` is the direction of the node, which
    /// the satellites of a plane share.
    func position(
        daysSinceJ2000 days: Double, _ ascending: (sin: Double, cos: Double)
    ) -> Vector {
        if let fixed { return fixed }
        var latitude = 2 * .pi * Self.fraction(argument.start + argument.rate * days)
        var radius = semiMajor
        if eccentricity > 0 { (latitude, radius) = onEllipse(latitude - perigee) }
        let along = PortableMath.sinCos(latitude)
        let aside = along.sin * inclination.cos
        return Vector(
            x: radius * (ascending.cos * along.cos - ascending.sin * aside),
            y: radius * (ascending.sin * along.cos + ascending.cos * aside),
            z: radius * along.sin * inclination.sin)
    }

    /// Solves Kepler's equation. Returns the argument of latitude in radians and the distance from
    /// the Earth's centre in metres for a mean anomaly in radians.
    private func onEllipse(_ anomaly: Double) -> (argument: Double, radius: Double) {
        var eccentric = anomaly
        for _ in 0..<6 {
            let (sine, cosine) = PortableMath.sinCos(eccentric)
            eccentric -= (eccentric - eccentricity * sine - anomaly) / (1 - eccentricity * cosine)
        }
        let (sine, cosine) = PortableMath.sinCos(eccentric)
        let minor = (1 - eccentricity * eccentricity).squareRoot()
        return (
            perigee + PortableMath.atan2(minor * sine, cosine - eccentricity),
            semiMajor * (1 - eccentricity * cosine)
        )
    }

    /// Returns the fractional part of a number of turns, -0.5 to 0.5.
    fileprivate static func fraction(_ turns: Double) -> Double {
        turns - PortableMath.nearest(turns)
    }
}

/// The rotation and flattening of the Earth.
package enum Earth {
    /// The number of rotations of the Earth relative to the stars in a day of 86 400 s.
    package static let turnsPerDay = 360.985_647_366_29 / 360
    /// The coefficient J2 of the Earth's gravity field, caused by its flattening.
    static let j2 = 1.082_63e-3

    /// Returns the days since J2000 (1 January 2000, noon) for a Unix time. UT1 and UTC are treated
    /// as equal.
    static func daysSinceJ2000(unixNanoseconds: Int64) -> Double {
        (Double(unixNanoseconds) / 1e9 - 946_728_000) / 86_400
    }

    /// Returns the sidereal angle of Greenwich in degrees, 0 up to 360.
    static func siderealAngle(_ daysSinceJ2000: Double) -> Double {
        (280.460_618_37 + 360 * turnsPerDay * daysSinceJ2000).wrappedDegrees
    }
}

/// The covariance of a least-squares position, computed from the directions to the used satellites.
/// Each constellation has its own clock offset, because the system times differ.
package struct Geometry: Hashable, Sendable {
    /// The covariance of the position for range errors of variance 1.
    package var covariance: SymmetricMatrix
    /// The variance of the first constellation's clock offset for range errors of variance 1.
    var clock: Double

    /// Computes the geometry of the used satellites, which must be sorted by constellation. If
    /// `isFlat` is `true`, the altitude is held (2D). Returns `nil` if there are too few
    /// satellites, or their directions do not determine a position.
    package init?(_ used: [Sighting], isFlat: Bool = false) {
        // Subtracting the mean direction of each constellation eliminates its clock offset. This is
        // equivalent to inverting the full matrix.
        var normal = SymmetricMatrix()
        var first: (mean: Vector, count: Double)?
        var start = 0
        while start < used.count {
            let constellation = used[start].id.constellation
            var end = start
            var sum = Vector(x: 0, y: 0, z: 0)
            while end < used.count, used[end].id.constellation == constellation {
                let direction = used[end].direction
                sum = Vector(
                    x: sum.x + direction.x, y: sum.y + direction.y, z: sum.z + direction.z)
                end += 1
            }
            let count = Double(end - start)
            let mean = Vector(x: sum.x / count, y: sum.y / count, z: sum.z / count)
            for sighting in used[start..<end] { normal.add(sighting.direction - mean) }
            if first == nil { first = (mean, count) }
            start = end
        }
        guard let first, let inverse = isFlat ? normal.flatInverse : normal.inverse else {
            return nil
        }
        covariance = inverse
        clock = 1 / first.count + inverse.variance(along: first.mean)
    }

    /// Returns the dilutions of precision. Pass the same `isFlat` as to the initializer.
    package func dilution(isFlat: Bool) -> Dilution {
        let plane = covariance.ee + covariance.nn
        let space = plane + covariance.uu
        return Dilution(
            hdop: plane.squareRoot(), vdop: isFlat ? nil : covariance.uu.squareRoot(),
            pdop: space.squareRoot(), tdop: clock.squareRoot(),
            gdop: (space + clock).squareRoot())
    }
}

/// A symmetric 3x3 matrix for the directions east (`e`), north (`n`) and up (`u`).
package struct SymmetricMatrix: Hashable, Sendable {
    package var ee = 0.0
    private var en = 0.0
    private var eu = 0.0
    package var nn = 0.0
    private var nu = 0.0
    var uu = 0.0

    /// Adds the outer product of a vector with itself.
    mutating func add(_ direction: Vector) {
        ee += direction.x * direction.x
        en += direction.x * direction.y
        eu += direction.x * direction.z
        nn += direction.y * direction.y
        nu += direction.y * direction.z
        uu += direction.z * direction.z
    }

    /// The inverse; `nil` if the matrix is nearly singular.
    var inverse: SymmetricMatrix? {
        let east = nn * uu - nu * nu
        let mixed = eu * nu - en * uu
        let up = en * nu - eu * nn
        let determinant = ee * east + en * mixed + eu * up
        guard determinant > 1e-6 else { return nil }
        var inverse = SymmetricMatrix()
        inverse.ee = east / determinant
        inverse.en = mixed / determinant
        inverse.eu = up / determinant
        inverse.nn = (ee * uu - eu * eu) / determinant
        inverse.nu = (en * eu - ee * nu) / determinant
        inverse.uu = (ee * nn - en * en) / determinant
        return inverse
    }

    /// The inverse of the 2x2 matrix for east and north; `nil` if it is nearly singular.
    var flatInverse: SymmetricMatrix? {
        let determinant = ee * nn - en * en
        guard determinant > 1e-6 else { return nil }
        var inverse = SymmetricMatrix()
        inverse.ee = nn / determinant
        inverse.en = -en / determinant
        inverse.nn = ee / determinant
        return inverse
    }

    /// Returns the variance along a direction: `d` transposed, times the matrix, times `d`.
    func variance(along d: Vector) -> Double {
        let plane = ee * d.x * d.x + nn * d.y * d.y + 2 * en * d.x * d.y
        return plane + uu * d.z * d.z + 2 * (eu * d.x + nu * d.y) * d.z
    }

    /// Transforms three independent errors of variance 1 into errors with this covariance (Cholesky
    /// decomposition).
    func correlate(_ z: Vector) -> Vector {
        let east = ee.squareRoot()
        let northEast = en / east
        let north = max(0, nn - northEast * northEast).squareRoot()
        let upEast = eu / east
        let upNorth = north > 0 ? (nu - upEast * northEast) / north : 0
        let up = max(0, uu - upEast * upEast - upNorth * upNorth).squareRoot()
        return Vector(
            x: east * z.x, y: northEast * z.x + north * z.y,
            z: upEast * z.x + upNorth * z.y + up * z.z)
    }

    /// Returns the standard deviations and the error ellipse for a one-sigma range error of `range`
    /// metres. If `isFlat` is `true` (2D), `up` is `nil`.
    package func deviations(range: Double, isFlat: Bool) -> Deviations {
        let middle = (ee + nn) / 2
        let difference = (nn - ee) / 2
        let reach = (difference * difference + en * en).squareRoot()
        let angle = 0.5 * PortableMath.atan2(en, difference)
        let turned = angle.degrees.truncatingRemainder(dividingBy: 180)
        return Deviations(
            range: range, east: range * ee.squareRoot(), north: range * nn.squareRoot(),
            up: isFlat ? nil : range * uu.squareRoot(),
            semiMajor: range * (middle + reach).squareRoot(),
            semiMinor: range * max(0, middle - reach).squareRoot(),
            orientation: turned < 0 ? turned + 180 : turned)
    }
}

/// The satellites of one or more constellations.
package struct SimulatedSky: Sendable {
    private let orbits: [(orbit: Orbit, plane: Int)]
    private let planes: [Orbit.Node]

    /// Creates a sky with all simulated satellites of some constellations.
    package init(_ constellations: some Sequence<Constellation>) {
        let all = constellations.flatMap(NominalConstellation.orbits).sorted { $0.id < $1.id }
        var planes: [Orbit.Node] = []
        orbits = all.map { orbit in
            if let plane = planes.firstIndex(of: orbit.node) { return (orbit, plane) }
            planes.append(orbit.node)
            return (orbit, planes.count - 1)
        }
        self.planes = planes
    }

    /// Returns the satellites above the horizon of a position, sorted by id. `height` is in metres
    /// above the ellipsoid.
    package func sightings(
        from coordinate: Coordinate, height: Double, daysSinceJ2000 days: Double
    ) -> [Sighting] {
        let position = WGS84.position(of: coordinate, height: height)
        let (sinLatitude, cosLatitude) = PortableMath.sinCos(coordinate.latitude.radians)
        let (sinLongitude, cosLongitude) = PortableMath.sinCos(coordinate.longitude.radians)
        let up = Vector(
            x: cosLatitude * cosLongitude, y: cosLatitude * sinLongitude, z: sinLatitude)
        var sightings: [Sighting] = []
        sightings.reserveCapacity(64)
        let nodes = planes.map { $0.direction(daysSinceJ2000: days) }
        for (orbit, plane) in orbits {
            let line = orbit.position(daysSinceJ2000: days, nodes[plane]) - position
            let rise = line.dot(up)
            guard rise >= 0 else { continue }
            let distance = line.length
            let east = line.y * cosLongitude - line.x * sinLongitude
            let outward = line.x * cosLongitude + line.y * sinLongitude
            let north = line.z * cosLatitude - outward * sinLatitude
            let across = (east * east + north * north).squareRoot()
            sightings.append(
                Sighting(
                    id: orbit.id,
                    direction: Vector(
                        x: east / distance, y: north / distance, z: rise / distance),
                    elevation: PortableMath.atan2(rise, across).degrees,
                    azimuth: PortableMath.atan2(east, north).degrees.wrappedDegrees))
        }
        return sightings
    }
}

/// A satellite above the horizon, with its direction.
package struct Sighting: Hashable, Sendable {
    /// The satellite's id.
    package var id: SatelliteID
    /// The direction to the satellite as a unit vector: east, north and up.
    package var direction: Vector
    /// The elevation in degrees above the horizon.
    package var elevation: Double
    /// The azimuth in degrees from true north, 0 up to 360.
    package var azimuth: Double

    /// Creates a sighting. `direction` must correspond to the elevation and azimuth.
    package init(id: SatelliteID, direction: Vector, elevation: Double, azimuth: Double) {
        self.id = id
        self.direction = direction
        self.elevation = elevation
        self.azimuth = azimuth
    }
}
