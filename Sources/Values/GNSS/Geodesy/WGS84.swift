// SPDX-License-Identifier: MIT

/// The WGS 84 ellipsoid.
package enum WGS84 {
    /// The equatorial radius in metres.
    package static let semiMajor = 6_378_137.0
    /// The flattening: (a − b) / a, with the equatorial radius a and the polar radius b.
    package static let flattening = 1 / 298.257_223_563
    /// The polar radius in metres.
    package static let semiMinor = semiMajor * (1 - flattening)
    /// The square of the eccentricity of a meridian.
    package static let eccentricitySquared = flattening * (2 - flattening)
    /// The eccentricity of a meridian.
    package static let eccentricity = eccentricitySquared.squareRoot()

    /// Returns the Earth-centred, Earth-fixed position of a coordinate at a height above the
    /// ellipsoid, all in metres.
    package static func position(of coordinate: Coordinate, height: Double) -> Vector {
        let (sine, cosine) = PortableMath.sinCos(coordinate.latitude.radians)
        let (east, toward) = PortableMath.sinCos(coordinate.longitude.radians)
        let primeVertical = semiMajor / (1 - eccentricitySquared * sine * sine).squareRoot()
        let fromAxis = (primeVertical + height) * cosine
        return Vector(
            x: fromAxis * toward, y: fromAxis * east,
            z: (primeVertical * (1 - eccentricitySquared) + height) * sine)
    }

    /// Converts an Earth-centred, Earth-fixed point to a coordinate and a height above the
    /// ellipsoid, in metres. Returns `nil` for a point less than 6000 km or at least a million km
    /// from the Earth's centre.
    ///
    /// It uses Bowring's formula, which is accurate to a micrometre up to the orbits of satellites.
    package static func geodeticPosition(
        of point: Vector
    ) -> (coordinate: Coordinate, height: Double)? {
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

    /// Returns the east, north and up components of an Earth-fixed vector, as seen from `position`.
    package static func local(
        _ vector: Vector, at position: Coordinate
    ) -> (east: Double, north: Double, up: Double) {
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(position.latitude.radians)
        let (sine, cosine) = PortableMath.sinCos(position.longitude.radians)
        let outward = cosine * vector.x + sine * vector.y
        return (
            east: cosine * vector.y - sine * vector.x,
            north: latitudeCosine * vector.z - latitudeSine * outward,
            up: latitudeCosine * outward + latitudeSine * vector.z
        )
    }

    /// Returns the Earth-fixed vector with these components, as seen from `position`: the inverse of
    /// `local(_:at:)`.
    package static func vector(
        east: Double, north: Double, up: Double, at position: Coordinate
    ) -> Vector {
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(position.latitude.radians)
        let (sine, cosine) = PortableMath.sinCos(position.longitude.radians)
        let outward = latitudeCosine * up - latitudeSine * north
        return Vector(
            x: outward * cosine - sine * east, y: outward * sine + cosine * east,
            z: latitudeCosine * north + latitudeSine * up)
    }
}
