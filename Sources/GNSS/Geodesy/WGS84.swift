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

    /// Returns the coordinate and the height above the ellipsoid of a point; `nil` for a point nearer
    /// to the Earth's centre than any receiver is.
    ///
    /// Bowring's formula: exact to a micrometre up to the orbits of satellites.
    package static func place(of point: Vector) -> (coordinate: Coordinate, height: Double)? {
        let distance = (point.x * point.x + point.y * point.y).squareRoot()
        guard point.length > 6_000_000, point.length < 1e9 else { return nil }
        let start = PortableMath.atan2(point.z * semiMajor, distance * semiMinor)
        let (sine, cosine) = PortableMath.sinCos(start)
        let second = eccentricitySquared / (1 - eccentricitySquared)
        let latitude = PortableMath.atan2(
            point.z + second * semiMinor * sine * sine * sine,
            distance - eccentricitySquared * semiMajor * cosine * cosine * cosine)
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(latitude)
        let root = (1 - eccentricitySquared * latitudeSine * latitudeSine).squareRoot()
        let height =
            distance * latitudeCosine + point.z * latitudeSine - semiMajor * root
        let coordinate = Coordinate(
            latitude: latitude.degrees,
            longitude: PortableMath.atan2(point.y, point.x).degrees)
        return (coordinate, height)
    }

    /// Returns the components of a vector to the east, to the north and upwards at a place.
    package static func local(
        _ vector: Vector, at place: Coordinate
    ) -> (east: Double, north: Double, up: Double) {
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(place.latitude.radians)
        let (sine, cosine) = PortableMath.sinCos(place.longitude.radians)
        let outward = cosine * vector.x + sine * vector.y
        return (
            east: cosine * vector.y - sine * vector.x,
            north: latitudeCosine * vector.z - latitudeSine * outward,
            up: latitudeCosine * outward + latitudeSine * vector.z
        )
    }
}
