// SPDX-License-Identifier: MIT
package import GNSS

extension Coordinate {
    /// Returns the point at an offset in metres.
    ///
    /// For short distances it is computed on the ellipsoid's tangent plane, accurate to millimetres
    /// within a hundred metres; otherwise along a geodesic. The path may cross the date line and
    /// the poles.
    package func moved(north: Double, east: Double) -> Coordinate {
        let distance = (north * north + east * east).squareRoot()
        guard isFlat(within: distance) else {
            let course = PortableMath.atan2(east, north).degrees
            return Geodesic(from: self, course: course, length: distance)
                .point(at: distance).coordinate
        }
        let (sine, cosine) = PortableMath.sinCos(latitude.radians)
        let root = (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
        let primeVertical = WGS84.semiMajor / root
        let meridian = primeVertical * (1 - WGS84.eccentricitySquared) / (root * root)
        let eastward = longitude + (east / (primeVertical * cosine)).degrees
        return Coordinate(
            latitude: latitude + (north / meridian).degrees,
            longitude: eastward - 360 * (eastward / 360).rounded())
    }

    /// Returns whether a tangent plane is accurate enough within `distance` metres. The limit is 10
    /// km, and less near a pole, where the direction of north changes quickly.
    func isFlat(within distance: Double) -> Bool {
        // The limit is a hundredth of the distance to the pole, at 111 km per degree.
        distance == 0 || distance <= min(10_000, 1110 * (90 - latitude.magnitude))
    }
}
