// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Krüger's series for the transverse Mercator projection of WGS 84, to sixth order in the third
/// flattening. Its error is less than a millimetre wherever UTM is used.
enum TransverseMercator {
    private static let n = WGS84.flattening / (2 - WGS84.flattening)
    private static let eccentricity = WGS84.eccentricity

    /// The circumference of a meridian, divided by 2π.
    private static let rectifyingRadius =
        WGS84.semiMajor / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64 + power(6) / 256)

    private static func power(_ exponent: Int) -> Double {
        (0..<exponent).reduce(1.0) { product, _ in product * n }
    }

    // See Karney, Transverse Mercator with an accuracy of a few nanometers (2011), equation 35.
    private static let coefficients: [Double] = [
        n / 2 - 2 * power(2) / 3 + 5 * power(3) / 16 + 41 * power(4) / 180 - 127 * power(5) / 288
            + 7891 * power(6) / 37800,
        13 * power(2) / 48 - 3 * power(3) / 5 + 557 * power(4) / 1440 + 281 * power(5) / 630
            - 1_983_433 * power(6) / 1_935_360,
        61 * power(3) / 240 - 103 * power(4) / 140 + 15061 * power(5) / 26880
            + 167_603 * power(6) / 181_440,
        49561 * power(4) / 161_280 - 179 * power(5) / 168 + 6_601_661 * power(6) / 7_257_600,
        34729 * power(5) / 80640 - 3_418_889 * power(6) / 1_995_840,
        212_378_941 * power(6) / 319_334_400,
    ]

    /// Returns the distances east of the central meridian and north of the equator in metres, at
    /// scale 1.
    ///
    /// `longitude` is relative to the central meridian. Both angles are in degrees.
    static func project(latitude: Double, longitude: Double) -> (east: Double, north: Double) {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        let tau = tan(phi)
        let sigma = sinh(eccentricity * atanh(eccentricity * tau / (1 + tau * tau).squareRoot()))
        let conformal =
            tau * (1 + sigma * sigma).squareRoot() - sigma * (1 + tau * tau).squareRoot()
        let xi = atan2(conformal, cos(lambda))
        let eta = asinh(
            sin(lambda) / (conformal * conformal + cos(lambda) * cos(lambda)).squareRoot())
        var (north, east) = (xi, eta)
        for (index, coefficient) in coefficients.enumerated() {
            let j = Double(2 * (index + 1))
            north += coefficient * sin(j * xi) * cosh(j * eta)
            east += coefficient * cos(j * xi) * sinh(j * eta)
        }
        return (east * rectifyingRadius, north * rectifyingRadius)
    }
}
