// SPDX-License-Identifier: MIT

/// A point on the WGS 84 ellipsoid, in degrees. North and east are positive.
public struct Coordinate: Hashable, Sendable, Codable {
    /// The latitude in degrees, -90 to 90.
    public var latitude: Double

    /// The longitude in degrees, -180 to 180.
    public var longitude: Double

    /// Creates a coordinate without checking it; see `isValid`.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the latitude is within ±90 and the longitude within ±180 degrees.
    public var isValid: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180
    }
}

// Distances and courses are computed along the geodesic of the WGS 84 ellipsoid.
extension Coordinate {
    /// Returns the distance to another point in metres, along the geodesic; NaN if either point is
    /// not valid.
    ///
    /// The result is accurate to a millimetre.
    public func distance(to other: Coordinate) -> Double {
        guard isValid, other.isValid else { return .nan }
        return Geodesic.inverse(self, other).length
    }

    /// Returns the distance from another point in metres; equal to `distance(to:)`.
    public func distance(from other: Coordinate) -> Double { distance(to: other) }

    /// Returns the initial course of the geodesic to another point in degrees true, 0 up to 360;
    /// `nil` if the points are equal or either point is not valid.
    ///
    /// At a pole the course is measured from the meridian of the pole's `longitude`, as in
    /// `moved(by:course:)`.
    public func course(to other: Coordinate) -> Double? {
        guard isValid, other.isValid else { return nil }
        let way = Geodesic.inverse(self, other)
        return way.length == 0 ? nil : way.course.degrees.wrappedDegrees
    }

    /// Returns the point at `distance` metres from this one on the geodesic that starts with
    /// `course`, in degrees true.
    ///
    /// A negative distance moves backwards. The path may cross the date line or a pole.
    ///
    /// The result is not valid (`isValid`) if this coordinate is not valid, a number is not finite,
    /// or the distance exceeds a billion kilometres.
    public func moved(by distance: Double, course: Double) -> Coordinate {
        guard isValid, distance.magnitude <= 1e12, course.isFinite else {
            return Coordinate(latitude: .nan, longitude: .nan)
        }
        // Return exactly the same point.
        guard distance != 0 else { return self }
        return Geodesic(from: self, course: course, length: distance)
            .point(at: distance).coordinate
    }
}

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
    func moved(by fraction: Double, towards other: Coordinate) -> Coordinate {
        var east = other.longitude - longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        var moved = longitude + east * fraction
        if moved > 180 { moved -= 360 } else if moved < -180 { moved += 360 }
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * fraction, longitude: moved)
    }
}

extension Double {
    /// The angle in degrees, converted to radians.
    package var radians: Double { self * .pi / 180 }

    /// The angle in radians, converted to degrees.
    package var degrees: Double { self * 180 / .pi }

    /// The angle in degrees, wrapped to the range 0 up to 360.
    package var wrappedDegrees: Double {
        if 0..<360 ~= self { return magnitude }  // most, and not -0
        let rest = truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        return positive >= 360 ? 0 : positive.magnitude  // not -0
    }

    /// Returns the magnetic direction, from 0 up to 360, for this true direction in degrees.
    /// `variation` is the magnetic variation, positive to the east.
    package func magnetic(_ variation: Double) -> Double { (self - variation).wrappedDegrees }
}
