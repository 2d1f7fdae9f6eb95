// SPDX-License-Identifier: MIT

// Along the shortest way on the WGS 84 ellipsoid; between points that are nearly opposite each other on
// the globe, where Vincenty's solution does not converge, along the mean sphere.
extension Coordinate {
    /// Metres to another point, along the shortest way; not a number where one of them is not valid.
    ///
    /// Exact to a millimetre; between points within half a degree of opposite each other to 12 km.
    public func distance(to other: Coordinate) -> Double {
        guard isValid, other.isValid else { return .nan }
        return Geodesic.inverse(self, other)?.length ?? sphericalDistance(to: other)
    }

    /// Metres from another point; the same as `distance(to:)`.
    public func distance(from other: Coordinate) -> Double { distance(to: other) }

    /// Degrees true in which the shortest way to another point begins, 0 up to 360; `nil` to the
    /// same point, or where one of them is not valid.
    ///
    /// At a pole it counts from the meridian of the pole's `longitude`, as `moved(by:course:)` does.
    public func course(to other: Coordinate) -> Double? {
        guard isValid, other.isValid else { return nil }
        if let way = Geodesic.inverse(self, other) {
            return way.length == 0 ? nil : way.course.degrees.wrappedDegrees
        }
        return sphericalCourse(to: other)
    }

    /// The point that many metres away in the direction of `course`, degrees true; negative
    /// distances lead backwards. It may lie across the date line or a pole.
    ///
    /// Not a valid coordinate (`isValid`) where this one is not, where a number is not finite, or
    /// beyond a billion kilometres.
    public func moved(by distance: Double, course: Double) -> Coordinate {
        guard isValid, distance.magnitude <= 1e12, course.isFinite else {
            return Coordinate(latitude: .nan, longitude: .nan)
        }
        // The same point, to the last bit.
        guard distance != 0 else { return self }
        return Geodesic(from: self, course: course, length: distance)
            .point(at: distance).coordinate
    }

    private func sphericalDistance(to other: Coordinate) -> Double {
        let (a, b) = (latitude.radians, other.latitude.radians)
        let halfLatitude = Portable.sin((a - b) / 2)
        let halfLongitude = Portable.sin((longitude - other.longitude).radians / 2)
        let square =
            halfLatitude * halfLatitude
            + Portable.cos(a) * Portable.cos(b) * halfLongitude * halfLongitude
        return 2 * 6_371_008.8 * Portable.asin(square.squareRoot())
    }

    private func sphericalCourse(to other: Coordinate) -> Double {
        let (sinA, cosA) = Portable.sinCos(latitude.radians)
        let (sinB, cosB) = Portable.sinCos(other.latitude.radians)
        let (sinApart, cosApart) = Portable.sinCos((other.longitude - longitude).radians)
        let (across, along) = (cosB * sinApart, cosA * sinB - sinA * cosB * cosApart)
        // Exactly opposite: the shortest ways of all lead across the poles.
        guard max(across.magnitude, along.magnitude) > 1e-12 else { return 0 }
        return Portable.atan2(across, along).degrees.wrappedDegrees
    }
}
