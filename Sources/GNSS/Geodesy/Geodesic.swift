// SPDX-License-Identifier: MIT

/// The shortest path on the WGS 84 ellipsoid, computed with Vincenty's formulae; accurate to a
/// millimetre at any distance.
public struct Geodesic: Hashable, Sendable {
    /// A point on the path.
    public struct Point: Hashable, Sendable {
        /// The position.
        public var coordinate: Coordinate
        /// The direction of the path at the point, in degrees true.
        public var course: Double

        package init(coordinate: Coordinate, course: Double) {
            self.coordinate = coordinate
            self.course = course
        }
    }

    /// The start.
    public let start: Coordinate
    /// Metres; 0 between equal points.
    public let length: Double
    /// Degrees true at the start, 0 up to 360.
    public let course: Double

    private let from: AuxiliarySphere

    /// Creates a path from its start.
    public init(from start: Coordinate, course: Double, length: Double) {
        self.start = start
        self.course = course.wrappedDegrees
        self.length = length
        from = AuxiliarySphere(start, course: course.radians)
    }

    /// Creates the path between two points; `nil` if they are so nearly antipodal (within about
    /// half a degree) that the solution does not converge, or if a coordinate is not valid.
    public init?(from start: Coordinate, to end: Coordinate) {
        guard start.isValid, end.isValid else { return nil }
        guard let inverse = Self.inverse(start, end) else { return nil }
        self.init(from: start, course: inverse.course.degrees, length: inverse.length)
    }

    /// Returns the point at a distance in metres from the start; it may lie beyond the end.
    public func point(at distance: Double) -> Point { from.point(at: distance) }

    /// Vincenty's inverse solution: length and first course.
    static func inverse(
        _ start: Coordinate, _ end: Coordinate
    ) -> (length: Double, course: Double)? {
        let f = WGS84.flattening
        let (sinU1, cosU1) = AuxiliarySphere.reduced(start.latitude)
        let (sinU2, cosU2) = AuxiliarySphere.reduced(end.latitude)
        let difference = (end.longitude - start.longitude + 540).wrappedDegrees - 180
        let apart = difference.radians
        var lambda = apart
        for _ in 0..<100 {
            let (sinLambda, cosLambda) = PortableMath.sinCos(lambda)
            let across = cosU2 * sinLambda
            let along = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
            let sinSigma = (across * across + along * along).squareRoot()
            if sinSigma == 0 { return cosLambda > 0 ? (0, 0) : nil }
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            let sigma = PortableMath.atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            let cosSqAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator, no point is nearest to a pole.
            let cos2M = cosSqAlpha > 1e-12 ? cosSigma - 2 * sinU1 * sinU2 / cosSqAlpha : 0
            let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
            let middle = cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)
            let next = apart + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * middle)
            guard next.magnitude <= .pi else { return nil }
            if (next - lambda).magnitude < 1e-13 {
                let series = AuxiliarySphere.Series(cosSqAlpha: cosSqAlpha)
                let length =
                    WGS84.semiMinor * series.a
                    * (sigma - series.correction(sinSigma, cosSigma, cos2M))
                return (length, PortableMath.atan2(across, along))
            }
            lambda = next
        }
        return nil
    }
}

/// The auxiliary sphere of Vincenty's direct solution, prepared for one start and course.
struct AuxiliarySphere: Hashable, Sendable {
    /// Vincenty's A and B.
    struct Series: Hashable {
        var a: Double
        var b: Double

        init(cosSqAlpha: Double) {
            let (major, minor) = (WGS84.semiMajor, WGS84.semiMinor)
            let u = cosSqAlpha * (major * major - minor * minor) / (minor * minor)
            a = 1 + u / 16_384 * (4096 + u * (-768 + u * (320 - 175 * u)))
            b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        }

        func correction(_ sinSigma: Double, _ cosSigma: Double, _ cos2M: Double) -> Double {
            let square = cos2M * cos2M
            let first = cosSigma * (2 * square - 1)
            let second = b / 6 * cos2M * (4 * sinSigma * sinSigma - 3) * (4 * square - 3)
            return b * sinSigma * (cos2M + b / 4 * (first - second))
        }
    }

    private let longitude: Double
    private let sinU: Double
    private let cosU: Double
    private let sinCourse: Double
    private let cosCourse: Double
    private let sigma1: Double
    private let sinAlpha: Double
    private let series: Series

    init(_ start: Coordinate, course: Double) {
        longitude = start.longitude
        (sinU, cosU) = Self.reduced(start.latitude)
        (sinCourse, cosCourse) = PortableMath.sinCos(course)
        sigma1 = PortableMath.atan2(sinU, cosU * cosCourse)
        sinAlpha = cosU * sinCourse
        series = Series(cosSqAlpha: 1 - sinAlpha * sinAlpha)
    }

    /// Sine and cosine of the reduced latitude of one in degrees.
    static func reduced(_ latitude: Double) -> (sin: Double, cos: Double) {
        let (sine, cosine) = PortableMath.sinCos(latitude.radians)
        let scaled = (1 - WGS84.flattening) * sine
        let root = (scaled * scaled + cosine * cosine).squareRoot()
        return (scaled / root, cosine / root)
    }

    func point(at distance: Double) -> Geodesic.Point {
        let first = distance / (WGS84.semiMinor * series.a)
        var sigma = first
        for _ in 0..<20 {
            let (sine, cosine) = PortableMath.sinCos(sigma)
            let cos2M = PortableMath.cos(2 * sigma1 + sigma)
            let next = first + series.correction(sine, cosine, cos2M)
            let isDone = (next - sigma).magnitude < 1e-13
            sigma = next
            if isDone { break }
        }
        return point(after: sigma)
    }

    private func point(after sigma: Double) -> Geodesic.Point {
        let f = WGS84.flattening
        let (sinSigma, cosSigma) = PortableMath.sinCos(sigma)
        let cos2M = PortableMath.cos(2 * sigma1 + sigma)
        let toPole = sinU * sinSigma - cosU * cosSigma * cosCourse
        let north = sinU * cosSigma + cosU * sinSigma * cosCourse
        let latitude = PortableMath.atan2(
            north, (1 - f) * (sinAlpha * sinAlpha + toPole * toPole).squareRoot())
        let lambda = PortableMath.atan2(
            sinSigma * sinCourse, cosU * cosSigma - sinU * sinSigma * cosCourse)
        let cosSqAlpha = 1 - sinAlpha * sinAlpha
        let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
        let middle = cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)
        let apart = lambda - (1 - c) * f * sinAlpha * (sigma + c * sinSigma * middle)
        let east = longitude + apart.degrees
        return Geodesic.Point(
            coordinate: Coordinate(
                latitude: latitude.degrees, longitude: east - 360 * (east / 360).rounded()),
            course: PortableMath.atan2(sinAlpha, -toPole).degrees.wrappedDegrees)
    }
}
