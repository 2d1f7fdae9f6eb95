// SPDX-License-Identifier: MIT
package import GNSS

extension Coordinate {
    /// The point some metres away: near by on the ellipsoid's tangent plane, good to millimetres over
    /// a hundred metres, else by the shortest way. It may lead across the date line and the poles.
    package func moved(north: Double, east: Double) -> Coordinate {
        let distance = (north * north + east * east).squareRoot()
        guard isFlat(within: distance) else {
            let course = Portable.atan2(east, north).degrees
            return Geodesic(from: self, course: course, length: distance)
                .point(at: distance).coordinate
        }
        let (sine, cosine) = Portable.sinCos(latitude.radians)
        let root = (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
        let primeVertical = WGS84.semiMajor / root
        let meridian = primeVertical * (1 - WGS84.eccentricitySquared) / (root * root)
        let eastward = longitude + (east / (primeVertical * cosine)).degrees
        return Coordinate(
            latitude: latitude + (north / meridian).degrees,
            longitude: eastward - 360 * (eastward / 360).rounded())
    }

    /// Whether directions are nearly the same within that many metres: not near a pole, where meridians
    /// converge.
    func isFlat(within distance: Double) -> Bool {
        // A hundredth of the way to the pole, 111 km a degree.
        distance == 0 || distance <= min(10_000, 1110 * (90 - latitude.magnitude))
    }
}
