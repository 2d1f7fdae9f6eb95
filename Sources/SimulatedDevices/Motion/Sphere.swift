// SPDX-License-Identifier: MIT
import GNSS

/// The auxiliary sphere of Vincenty's direct solution, prepared for one start and course.
struct Sphere: Hashable, Sendable {
    /// Vincenty's A and B.
    struct Series: Hashable {
        var a: Double
        var b: Double

        init(cosSqAlpha: Double) {
            let (major, minor) = (Ellipsoid.semiMajor, Ellipsoid.semiMinor)
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
        (sinCourse, cosCourse) = Portable.sinCos(course)
        sigma1 = Portable.atan2(sinU, cosU * cosCourse)
        sinAlpha = cosU * sinCourse
        series = Series(cosSqAlpha: 1 - sinAlpha * sinAlpha)
    }

    /// Sine and cosine of the reduced latitude of one in degrees.
    static func reduced(_ latitude: Double) -> (sin: Double, cos: Double) {
        let (sine, cosine) = Portable.sinCos(latitude.radians)
        let scaled = (1 - Ellipsoid.flattening) * sine
        let root = (scaled * scaled + cosine * cosine).squareRoot()
        return (scaled / root, cosine / root)
    }

    func point(at distance: Double) -> Geodesic.Point {
        let first = distance / (Ellipsoid.semiMinor * series.a)
        var sigma = first
        for _ in 0..<20 {
            let (sine, cosine) = Portable.sinCos(sigma)
            let cos2M = Portable.cos(2 * sigma1 + sigma)
            let next = first + series.correction(sine, cosine, cos2M)
            let isDone = (next - sigma).magnitude < 1e-13
            sigma = next
            if isDone { break }
        }
        return point(after: sigma)
    }

    private func point(after sigma: Double) -> Geodesic.Point {
        let f = Ellipsoid.flattening
        let (sinSigma, cosSigma) = Portable.sinCos(sigma)
        let cos2M = Portable.cos(2 * sigma1 + sigma)
        let toPole = sinU * sinSigma - cosU * cosSigma * cosCourse
        let north = sinU * cosSigma + cosU * sinSigma * cosCourse
        let latitude = Portable.atan2(
            north, (1 - f) * (sinAlpha * sinAlpha + toPole * toPole).squareRoot())
        let lambda = Portable.atan2(
            sinSigma * sinCourse, cosU * cosSigma - sinU * sinSigma * cosCourse)
        let cosSqAlpha = 1 - sinAlpha * sinAlpha
        let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
        let middle = cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)
        let apart = lambda - (1 - c) * f * sinAlpha * (sigma + c * sinSigma * middle)
        let east = longitude + apart.degrees
        return Geodesic.Point(
            coordinate: Coordinate(
                latitude: latitude.degrees, longitude: east - 360 * (east / 360).rounded()),
            course: Portable.atan2(sinAlpha, -toPole).degrees.wrappedDegrees)
    }
}
