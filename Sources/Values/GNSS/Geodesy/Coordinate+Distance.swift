// SPDX-License-Identifier: MIT

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
