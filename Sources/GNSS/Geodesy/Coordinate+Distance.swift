// SPDX-License-Identifier: MIT

extension Coordinate {
    /// Metres along the WGS 84 ellipsoid; between points that are nearly opposite each other on the
    /// globe, where Vincenty's solution does not converge, along the mean sphere.
    public func distance(from other: Coordinate) -> Double {
        Geodesic.inverse(self, other)?.length ?? sphericalDistance(from: other)
    }

    private func sphericalDistance(from other: Coordinate) -> Double {
        let (a, b) = (latitude.radians, other.latitude.radians)
        let halfLatitude = Portable.sin((a - b) / 2)
        let halfLongitude = Portable.sin((longitude - other.longitude).radians / 2)
        let square =
            halfLatitude * halfLatitude
            + Portable.cos(a) * Portable.cos(b) * halfLongitude * halfLongitude
        return 2 * 6_371_008.8 * Portable.asin(square.squareRoot())
    }
}
