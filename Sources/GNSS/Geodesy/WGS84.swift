// SPDX-License-Identifier: MIT

/// The ellipsoid of WGS 84.
package enum WGS84 {
    /// The equatorial radius in metres.
    package static let semiMajor = 6_378_137.0
    /// (a − b) / a.
    package static let flattening = 1 / 298.257_223_563
    /// The polar radius in metres.
    package static let semiMinor = semiMajor * (1 - flattening)
    /// The square of a meridian's eccentricity.
    package static let eccentricitySquared = flattening * (2 - flattening)
    /// A meridian's eccentricity.
    package static let eccentricity = eccentricitySquared.squareRoot()

    /// A point in metres along the axes that turn with the Earth.
    package static func position(of coordinate: Coordinate, height: Double) -> Vector {
        let (sine, cosine) = PortableMath.sinCos(coordinate.latitude.radians)
        let (east, toward) = PortableMath.sinCos(coordinate.longitude.radians)
        let primeVertical = semiMajor / (1 - eccentricitySquared * sine * sine).squareRoot()
        let fromAxis = (primeVertical + height) * cosine
        return Vector(
            x: fromAxis * toward, y: fromAxis * east,
            z: (primeVertical * (1 - eccentricitySquared) + height) * sine)
    }
}
