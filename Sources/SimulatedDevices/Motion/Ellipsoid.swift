// SPDX-License-Identifier: MIT
package import GNSS

/// WGS 84.
package enum Ellipsoid {
    /// Metres from the middle to the equator.
    package static let semiMajor = 6_378_137.0
    /// How much shorter the way to a pole is.
    package static let flattening = 1 / 298.257_223_563
    /// Metres from the middle to a pole.
    package static let semiMinor = semiMajor * (1 - flattening)
    /// Of a meridian.
    package static let eccentricitySquared = flattening * (2 - flattening)

    /// A point in metres along the axes that turn with the Earth.
    package static func position(of coordinate: Coordinate, height: Double) -> Vector {
        let (sine, cosine) = Portable.sinCos(coordinate.latitude.radians)
        let (east, toward) = Portable.sinCos(coordinate.longitude.radians)
        let primeVertical = semiMajor / (1 - eccentricitySquared * sine * sine).squareRoot()
        let fromAxis = (primeVertical + height) * cosine
        return Vector(
            x: fromAxis * toward, y: fromAxis * east,
            z: (primeVertical * (1 - eccentricitySquared) + height) * sine)
    }
}
