// SPDX-License-Identifier: MIT
public import GNSS

#if canImport(Glibc)
    import Glibc
#endif

extension Location {
    /// Metres along the WGS 84 ellipsoid to another location, altitudes left aside.
    ///
    /// The CoreLocation counterpart is `CLLocation.distance(from:)`.
    public func distance(from other: Location) -> Double {
        coordinate.distance(from: other.coordinate)
    }
}

extension Coordinate {
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563

    /// Metres along the WGS 84 ellipsoid: Vincenty's inverse solution.
    ///
    /// Between nearly opposite points, where it does not converge, along the mean sphere.
    public func distance(from other: Coordinate) -> Double {
        let polarRadius = Self.equatorialRadius * (1 - Self.flattening)
        let u1 = reducedLatitude
        let u2 = other.reducedLatitude
        let difference = (longitude - other.longitude) * .pi / 180
        var lambda = difference
        for _ in 0..<100 {
            let a = cos(u2) * sin(lambda)
            let b = cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda)
            let sinSigma = (a * a + b * b).squareRoot()
            guard sinSigma > 0 else { return 0 }
            let cosSigma = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda)
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cos(u1) * cos(u2) * sin(lambda) / sinSigma
            let cos2Alpha = 1 - sinAlpha * sinAlpha
            // Along the equator there is no midpoint to speak of.
            let cos2Middle =
                cos2Alpha > 0 ? cosSigma - 2 * sin(u1) * sin(u2) / cos2Alpha : 0
            let c = Self.flattening / 16 * cos2Alpha * (4 + Self.flattening * (4 - 3 * cos2Alpha))
            let inner = cos2Middle + c * cosSigma * (2 * cos2Middle * cos2Middle - 1)
            let next =
                difference + (1 - c) * Self.flattening * sinAlpha * (sigma + c * sinSigma * inner)
            let change = abs(next - lambda)
            lambda = next
            guard change < 1e-12 else { continue }
            let ratio = Self.equatorialRadius / polarRadius
            let u = cos2Alpha * (ratio * ratio - 1)
            let scale = 1 + u / 16384 * (4096 + u * (u * (320 - 175 * u) - 768))
            let B = u / 1024 * (256 + u * (u * (74 - 47 * u) - 128))
            let square = 2 * cos2Middle * cos2Middle - 1
            let cubic = cos2Middle * (4 * sinSigma * sinSigma - 3) * (2 * square - 1)
            let correction =
                B * sinSigma * (cos2Middle + B / 4 * (cosSigma * square - B / 6 * cubic))
            return polarRadius * scale * (sigma - correction)
        }
        return sphericalDistance(from: other)
    }

    private var reducedLatitude: Double {
        atan((1 - Self.flattening) * tan(latitude * .pi / 180))
    }

    private func sphericalDistance(from other: Coordinate) -> Double {
        let a = latitude * .pi / 180
        let b = other.latitude * .pi / 180
        let halfLatitude = sin((a - b) / 2)
        let halfLongitude = sin((longitude - other.longitude) * .pi / 360)
        let square = halfLatitude * halfLatitude + cos(a) * cos(b) * halfLongitude * halfLongitude
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}
