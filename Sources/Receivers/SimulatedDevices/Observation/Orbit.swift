// SPDX-License-Identifier: MIT
package import GNSS

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
