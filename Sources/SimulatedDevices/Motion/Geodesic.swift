// SPDX-License-Identifier: MIT
public import GNSS

/// The shortest way on the WGS 84 ellipsoid, by Vincenty's formulae: a millimetre, whatever the
/// distance.
public struct Geodesic: Hashable, Sendable {
    /// A point on the way.
    public struct Point: Hashable, Sendable {
        /// Where it is.
        public var coordinate: Coordinate
        /// Degrees true in which the way goes on.
        public var course: Double
    }

    /// Where it starts.
    public let start: Coordinate
    /// Metres; 0 between equal points.
    public let length: Double
    /// Degrees true at the start, 0 up to 360.
    public let course: Double

    private let from: Sphere

    /// Makes a way from its start.
    public init(from start: Coordinate, course: Double, length: Double) {
        self.start = start
        self.course = course.wrappedDegrees
        self.length = length
        from = Sphere(start, course: course.radians)
    }

    /// Makes the way between two points; `nil` where they are so nearly opposite each other on the
    /// globe (within about half a degree) that it is not found, or are no coordinates.
    public init?(from start: Coordinate, to end: Coordinate) {
        guard start.isValid, end.isValid else { return nil }
        guard let inverse = Self.inverse(start, end) else { return nil }
        self.init(from: start, course: inverse.course.degrees, length: inverse.length)
    }

    /// The point that many metres from the start, also beyond the end.
    public func point(at distance: Double) -> Point { from.point(at: distance) }

    /// Vincenty's inverse solution: length and first course.
    private static func inverse(
        _ start: Coordinate, _ end: Coordinate
    ) -> (length: Double, course: Double)? {
        let f = Ellipsoid.flattening
        let (sinU1, cosU1) = Sphere.reduced(start.latitude)
        let (sinU2, cosU2) = Sphere.reduced(end.latitude)
        let difference = (end.longitude - start.longitude + 540).wrappedDegrees - 180
        let apart = difference.radians
        var lambda = apart
        for _ in 0..<100 {
            let (sinLambda, cosLambda) = Portable.sinCos(lambda)
            let across = cosU2 * sinLambda
            let along = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
            let sinSigma = (across * across + along * along).squareRoot()
            if sinSigma == 0 { return cosLambda > 0 ? (0, 0) : nil }
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            let sigma = Portable.atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            let cosSqAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator there is no nearest point to a pole.
            let cos2M = cosSqAlpha > 1e-12 ? cosSigma - 2 * sinU1 * sinU2 / cosSqAlpha : 0
            let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
            let middle = cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)
            let next = apart + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * middle)
            guard next.magnitude <= .pi else { return nil }
            if (next - lambda).magnitude < 1e-13 {
                let series = Sphere.Series(cosSqAlpha: cosSqAlpha)
                let length =
                    Ellipsoid.semiMinor * series.a
                    * (sigma - series.correction(sinSigma, cosSigma, cos2M))
                return (length, Portable.atan2(across, along))
            }
            lambda = next
        }
        return nil
    }
}
