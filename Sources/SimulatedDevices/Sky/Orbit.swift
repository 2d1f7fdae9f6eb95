// SPDX-License-Identifier: MIT
package import GNSS

/// A satellite's orbit: mean Keplerian elements, kept so that its ground track repeats.
///
/// The operators correct the orbits so that each satellite comes by over the same places again after
/// a fixed number of days, and that is what the motion along the orbit is worked out from; the node
/// goes as the Earth's flattening (J2) turns it. What sun and moon do is left out.
package struct Orbit: Sendable {
    /// The shape and the motion that a constellation's satellites have in common.
    package struct Shape: Hashable, Sendable {
        /// Metres.
        package var semiMajor: Double
        /// Degrees.
        package var inclination: Double
        /// 0 for a circle.
        package var eccentricity = 0.0
        /// Degrees.
        package var argumentOfPerigee = 0.0
        /// Revolutions until the ground track repeats.
        package var revolutions = 1.0
        /// Days, of one turn of the Earth below the orbit's plane each, until it repeats.
        package var days = 1.0
    }

    /// The longitude at which a plane rises through the equator: turns per day, and at J2000.
    package struct Node: Hashable, Sendable {
        var rate: Double
        var start: Double

        /// Sine and cosine of it.
        func direction(daysSinceJ2000 days: Double) -> (sin: Double, cos: Double) {
            Portable.sinCos(2 * .pi * Orbit.fraction(start + rate * days))
        }
    }

    /// Which satellite.
    package let id: SatelliteID
    /// Where its plane rises through the equator.
    package let node: Node
    /// Turns per day, and at J2000.
    private let argument: (rate: Double, start: Double)
    /// Where it stands, if it does.
    private var fixed: Vector?
    private let semiMajor: Double
    private let eccentricity: Double
    private let perigee: Double
    private let inclination: (sin: Double, cos: Double)

    /// Creates an orbit from the node's right ascension and the mean argument of latitude, in degrees
    /// at an epoch, in days since J2000.
    package init(
        _ id: SatelliteID, _ shape: Shape, node: Double, argument: Double, epoch: Double
    ) {
        self.id = id
        semiMajor = shape.semiMajor
        eccentricity = shape.eccentricity
        perigee = shape.argumentOfPerigee.radians
        inclination = Portable.sinCos(shape.inclination.radians)
        let ratio =
            WGS84.semiMajor
            / (shape.semiMajor * (1 - shape.eccentricity * shape.eccentricity))
        let perDay = shape.revolutions / shape.days
        let drift = -1.5 * Earth.j2 * ratio * ratio * inclination.cos * perDay * Earth.turnsPerDay
        // In turns, so that whole ones can be left away.
        let along = perDay * (Earth.turnsPerDay - drift)
        let below = drift - Earth.turnsPerDay
        let longitude = (node - Earth.siderealAngle(epoch)) / 360
        self.argument = (along, Self.fraction(argument / 360 - along * epoch))
        self.node = Node(rate: below, start: Self.fraction(longitude - below * epoch))
        guard shape.inclination == 0, shape.eccentricity == 0 else { return }
        fixed = position(daysSinceJ2000: 0)
    }

    /// Creates an orbit that keeps to a place on the equator or to a figure of eight around it: with
    /// this mean longitude, in degrees, and the node's right ascension at J2000.
    package init(_ id: SatelliteID, _ shape: Shape, longitude: Double, node: Double = 0) {
        let argument = longitude - node + Earth.siderealAngle(0)
        self.init(id, shape, node: node, argument: argument, epoch: 0)
    }

    /// Degrees per day that the mean argument of latitude grows.
    package var argumentRate: Double { argument.rate * 360 }

    /// Where it is, in metres along the axes that turn with the Earth.
    package func position(daysSinceJ2000 days: Double) -> Vector {
        position(daysSinceJ2000: days, node.direction(daysSinceJ2000: days))
    }

    /// The same, with the direction of its node, which the satellites of a plane have in common.
    func position(
        daysSinceJ2000 days: Double, _ ascending: (sin: Double, cos: Double)
    ) -> Vector {
        if let fixed { return fixed }
        var latitude = 2 * .pi * Self.fraction(argument.start + argument.rate * days)
        var radius = semiMajor
        if eccentricity > 0 { (latitude, radius) = onEllipse(latitude - perigee) }
        let along = Portable.sinCos(latitude)
        let aside = along.sin * inclination.cos
        return Vector(
            x: radius * (ascending.cos * along.cos - ascending.sin * aside),
            y: radius * (ascending.sin * along.cos + ascending.cos * aside),
            z: radius * along.sin * inclination.sin)
    }

    /// Argument of latitude and distance from a mean anomaly, by Kepler's equation.
    private func onEllipse(_ anomaly: Double) -> (argument: Double, radius: Double) {
        var eccentric = anomaly
        for _ in 0..<6 {
            let (sine, cosine) = Portable.sinCos(eccentric)
            eccentric -= (eccentric - eccentricity * sine - anomaly) / (1 - eccentricity * cosine)
        }
        let (sine, cosine) = Portable.sinCos(eccentric)
        let minor = (1 - eccentricity * eccentricity).squareRoot()
        return (
            perigee + Portable.atan2(minor * sine, cosine - eccentricity),
            semiMajor * (1 - eccentricity * cosine)
        )
    }

    /// Turns without the whole ones.
    fileprivate static func fraction(_ turns: Double) -> Double { turns - Portable.nearest(turns) }
}

/// How the Earth turns, and how flat it is.
package enum Earth {
    /// Turns against the stars in a day of 86 400 s.
    package static let turnsPerDay = 360.985_647_366_29 / 360
    /// Seconds of a turn against the stars.
    package static let siderealDay = 86_400 / turnsPerDay
    /// The effect of the Earth's flattening on an orbit (J2).
    static let j2 = 1.082_63e-3

    /// Days since J2000, 1 January 2000 at noon, from Unix time; UT1 and UTC are taken as one.
    package static func daysSinceJ2000(unixNanoseconds: Int64) -> Double {
        (Double(unixNanoseconds) / 1e9 - 946_728_000) / 86_400
    }

    /// Degrees that Greenwich has turned from the vernal equinox.
    package static func siderealAngle(_ daysSinceJ2000: Double) -> Double {
        (280.460_618_37 + 360 * turnsPerDay * daysSinceJ2000).wrappedDegrees
    }
}
