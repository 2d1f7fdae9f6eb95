// SPDX-License-Identifier: MIT

/// The shortest path between two points on the WGS 84 ellipsoid. It is computed with Vincenty's
/// formulae and accurate to a millimetre at any distance. If there are several shortest paths, as
/// between antipodes, it is one of them.
package struct Geodesic: Hashable, Sendable {
    /// A point on the path.
    package struct Point: Hashable, Sendable {
        /// The latitude and longitude of the point.
        package var coordinate: Coordinate
        /// The direction of the path at the point, in degrees true.
        package var course: Double

        package init(coordinate: Coordinate, course: Double) {
            self.coordinate = coordinate
            self.course = course
        }
    }

    /// The start of the path.
    package let start: Coordinate
    /// The length in metres; 0 if both ends are equal.
    package let length: Double
    /// The course at the start in degrees true, 0 up to 360.
    package let course: Double

    private let from: AuxiliarySphere

    /// Creates a path from its start, its initial course in degrees true and its length in metres.
    package init(from start: Coordinate, course: Double, length: Double) {
        self.start = start
        self.course = course.wrappedDegrees
        self.length = length
        from = AuxiliarySphere(start, course: course.radians)
    }

    /// Creates the path between two points. Returns `nil` if a coordinate is not valid.
    package init?(from start: Coordinate, to end: Coordinate) {
        guard start.isValid, end.isValid else { return nil }
        let inverse = Self.inverse(start, end)
        self.init(from: start, course: inverse.course.degrees, length: inverse.length)
    }

    /// Returns the point at a distance in metres from the start. The distance may exceed the length
    /// of the path.
    package func point(at distance: Double) -> Point { from.point(at: distance) }

    /// Computes the length in metres and the initial course in radians of the geodesic between two
    /// points.
    static func inverse(
        _ start: Coordinate, _ end: Coordinate
    ) -> (length: Double, course: Double) {
        let apart = ((end.longitude - start.longitude + 540).wrappedDegrees - 180).radians
        return vincenty(start, end, apart) ?? nearlyAntipodal(start, end, apart)
    }

    /// Returns the length in metres and the initial course in radians by Vincenty's inverse method.
    /// `apart` is the difference of longitude in radians. Returns `nil` if the method does not
    /// converge, as for points within about half a degree of being antipodal.
    private static func vincenty(
        _ start: Coordinate, _ end: Coordinate, _ apart: Double
    ) -> (length: Double, course: Double)? {
        let (sinU1, cosU1) = AuxiliarySphere.reduced(start.latitude)
        let (sinU2, cosU2) = AuxiliarySphere.reduced(end.latitude)
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
            // A path along the equator has no point nearest to a pole, so its term is 0.
            let cos2M = cosSqAlpha > 1e-12 ? cosSigma - 2 * sinU1 * sinU2 / cosSqAlpha : 0
            let arc = AuxiliarySphere.Arc(sigma, sinSigma, cosSigma, cos2M)
            let next = apart + arc.longitudeCorrection(sinAlpha, cosSqAlpha)
            guard next.magnitude <= .pi else { return nil }
            if (next - lambda).magnitude < 1e-13 {
                return (arc.length(cosSqAlpha), PortableMath.atan2(across, along))
            }
            lambda = next
        }
        return nil
    }

    /// Returns the length in metres and the initial course in radians for nearly antipodal points,
    /// for which Vincenty's method does not converge. `apart` is the difference of longitude in
    /// radians.
    ///
    /// The geodesic starts at the point that is farther from the equator. Its initial course is
    /// found by bisection: at the latitude of the other point, the geodesic must have the right
    /// difference of longitude. This always converges, because the difference grows with the course
    /// (Karney, "Algorithms for geodesics", 2013).
    private static func nearlyAntipodal(
        _ start: Coordinate, _ end: Coordinate, _ apart: Double
    ) -> (length: Double, course: Double) {
        let isReversed = start.latitude.magnitude < end.latitude.magnitude
        let latitudes = (start.latitude, end.latitude)
        let (first, last) = isReversed ? (latitudes.1, latitudes.0) : latitudes
        // The first point is mirrored to the south, if necessary.
        let sign: Double = first < 0 ? 1 : -1
        var from = AuxiliarySphere.reduced(sign * first)
        let to = AuxiliarySphere.reduced(sign * last)
        // A path from the equator leads through the south, too.
        from.sin = min(from.sin, -1e-300)
        var (low, high) = (0.0, Double.pi)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let path = AuxiliarySphere.Path(from: from, PortableMath.sinCos(middle), to: to)
            if path.apart < apart.magnitude { low = middle } else { high = middle }
        }
        // Between opposite meridians, the shortest path is across the nearer pole.
        let course: (sin: Double, cos: Double) =
            apart.magnitude < .pi ? PortableMath.sinCos(high) : (0, -1)
        let path = AuxiliarySphere.Path(from: from, course, to: to)
        let across = path.sinAlpha * (apart < 0 ? -1 : 1)
        let along = isReversed ? -sign * path.along : sign * from.cos * course.cos
        return (path.arc.length(path.cosSqAlpha), PortableMath.atan2(across, along))
    }
}

/// The auxiliary sphere of Vincenty's direct solution for a start and a course.
private struct AuxiliarySphere: Hashable, Sendable {
    /// The coefficients A and B of Vincenty's solution.
    private struct Series: Hashable {
        var a: Double
        private var b: Double

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

    /// An arc on the auxiliary sphere, which corresponds to a part of a geodesic.
    struct Arc {
        private let sigma: Double
        private let sinSigma: Double
        private let cosSigma: Double
        private let cos2M: Double

        /// Creates an arc from its length in radians, the length's sine and cosine, and `cos2M`.
        /// This is the cosine of twice the angle along the great circle from the equator to the
        /// arc's middle.
        init(_ sigma: Double, _ sinSigma: Double, _ cosSigma: Double, _ cos2M: Double) {
            (self.sigma, self.sinSigma) = (sigma, sinSigma)
            (self.cosSigma, self.cos2M) = (cosSigma, cos2M)
        }

        /// Returns the difference of longitude on the sphere minus the difference on the ellipsoid,
        /// in radians.
        func longitudeCorrection(_ sinAlpha: Double, _ cosSqAlpha: Double) -> Double {
            let f = WGS84.flattening
            let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
            let middle = cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)
            return (1 - c) * f * sinAlpha * (sigma + c * sinSigma * middle)
        }

        /// Returns the length of the arc's geodesic on the ellipsoid, in metres.
        func length(_ cosSqAlpha: Double) -> Double {
            let series = Series(cosSqAlpha: cosSqAlpha)
            return WGS84.semiMinor * series.a
                * (sigma - series.correction(sinSigma, cosSigma, cos2M))
        }
    }

    /// A path on the auxiliary sphere between two reduced latitudes that ends with a northerly
    /// course.
    struct Path {
        /// The sine of the course at the equator.
        let sinAlpha: Double
        /// The square of the cosine of the course at the equator.
        let cosSqAlpha: Double
        /// The cosine of the course at the end, times the cosine of the reduced latitude there.
        let along: Double
        /// The arc on the auxiliary sphere that corresponds to the path.
        let arc: Arc
        /// The difference of longitude between the ends, on the ellipsoid, in radians.
        let apart: Double

        /// Creates a path from the sines and cosines of its initial and final reduced latitudes and
        /// of its initial course.
        init(
            from start: (sin: Double, cos: Double), _ course: (sin: Double, cos: Double),
            to end: (sin: Double, cos: Double)
        ) {
            sinAlpha = start.cos * course.sin
            cosSqAlpha = 1 - sinAlpha * sinAlpha
            along = max(0, end.cos * end.cos - sinAlpha * sinAlpha).squareRoot()
            let sigma1 = PortableMath.atan2(start.sin, start.cos * course.cos)
            let sigma2 = PortableMath.atan2(end.sin, along)
            let sigma = sigma2 - sigma1
            let (sinSigma, cosSigma) = PortableMath.sinCos(sigma)
            arc = Arc(sigma, sinSigma, cosSigma, PortableMath.cos(sigma1 + sigma2))
            let startLongitude = PortableMath.atan2(
                sinAlpha * start.sin, start.cos * course.cos)
            apart =
                PortableMath.atan2(sinAlpha * end.sin, along) - startLongitude
                - arc.longitudeCorrection(sinAlpha, cosSqAlpha)
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

    /// Returns the sine and cosine of the reduced latitude for a latitude in degrees.
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
        let arc = Arc(sigma, sinSigma, cosSigma, cos2M)
        let apart = lambda - arc.longitudeCorrection(sinAlpha, 1 - sinAlpha * sinAlpha)
        let east = longitude + apart.degrees
        return Geodesic.Point(
            coordinate: Coordinate(
                latitude: latitude.degrees, longitude: east - 360 * (east / 360).rounded()),
            course: PortableMath.atan2(sinAlpha, -toPole).degrees.wrappedDegrees)
    }
}
