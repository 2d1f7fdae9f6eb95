// SPDX-License-Identifier: MIT

extension Coordinate {
    /// Returns the offset from another coordinate to this one, in metres east and north. The length
    /// of the offset equals the length of the geodesic.
    ///
    /// For differences below a hundredth of a degree, the offset is computed from the radii of
    /// curvature at the midpoint. That is accurate to a millimetre and much faster than the
    /// geodesic.
    package func offset(from origin: Coordinate) -> LocalPlane.Point {
        let (north, east) = (latitude - origin.latitude, longitude - origin.longitude)
        guard abs(north) < 0.01, abs(east) < 0.01, abs(latitude) < 89 else {
            let point = LocalPlane(at: origin).point(at: self)
            return point * (distance(from: origin) / max(1e-9, point.distance))
        }
        let (sine, cosine) = PortableMath.sinCos(((latitude + origin.latitude) / 2).radians)
        let w = 1 - WGS84.eccentricitySquared * sine * sine
        let prime = WGS84.semiMajor / w.squareRoot()
        let meridian = prime * (1 - WGS84.eccentricitySquared) / w
        return LocalPlane.Point(
            east: east.radians * cosine * prime, north: north.radians * meridian)
    }

    /// Returns a point between this coordinate (`fraction` 0) and a nearby one (`fraction` 1),
    /// interpolated linearly in degrees.
    package func moved(by fraction: Double, towards other: Coordinate) -> Coordinate {
        var east = other.longitude - longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        var moved = longitude + east * fraction
        if moved > 180 { moved -= 360 } else if moved < -180 { moved += 360 }
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * fraction, longitude: moved)
    }
}
