// SPDX-License-Identifier: MIT

// Distances and courses are computed along the geodesic of the WGS 84 ellipsoid. Vincenty's
// solution does not converge for nearly antipodal points, so the mean sphere is used for them.
extension Coordinate {
    /// Returns the distance to another point in metres, along the geodesic; NaN if either point is
    /// not valid.
    ///
    /// The result is accurate to a millimetre, or to 12 km for points within half a degree of being
    /// antipodal.
    public func distance(to other: Coordinate) -> Double {
        guard isValid, other.isValid else { return .nan }
        return Geodesic.inverse(self, other)?.length ?? sphericalDistance(to: other)
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
        if let way = Geodesic.inverse(self, other) {
            return way.length == 0 ? nil : way.course.degrees.wrappedDegrees
        }
        return sphericalCourse(to: other)
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

    private func sphericalDistance(to other: Coordinate) -> Double {
        let (a, b) = (latitude.radians, other.latitude.radians)
        let halfLatitude = PortableMath.sin((a - b) / 2)
        let halfLongitude = PortableMath.sin((longitude - other.longitude).radians / 2)
        let square =
            halfLatitude * halfLatitude
            + PortableMath.cos(a) * PortableMath.cos(b) * halfLongitude * halfLongitude
        return 2 * 6_371_008.8 * PortableMath.asin(square.squareRoot())
    }

    private func sphericalCourse(to other: Coordinate) -> Double {
        let (sinA, cosA) = PortableMath.sinCos(latitude.radians)
        let (sinB, cosB) = PortableMath.sinCos(other.latitude.radians)
        let (sinApart, cosApart) = PortableMath.sinCos((other.longitude - longitude).radians)
        let (across, along) = (cosB * sinApart, cosA * sinB - sinA * cosB * cosApart)
        // Antipodal points: choose the path across a pole.
        guard max(across.magnitude, along.magnitude) > 1e-12 else { return 0 }
        return PortableMath.atan2(across, along).degrees.wrappedDegrees
    }
}
