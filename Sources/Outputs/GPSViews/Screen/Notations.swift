// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// Formats latitudes and longitudes.
package enum AngleText {
    /// Returns text such as `48.1173000° N`. Seven decimals have a resolution of 1 cm.
    package static func decimal(_ degrees: Double, _ signs: (String, String), _ glyphs: Glyphs)
        -> String
    {
        "\(String(abs(degrees), decimals: 7))\(glyphs.degree) \(degrees < 0 ? signs.1 : signs.0)"
    }

    /// Returns text such as `48° 12.345′ N`, as on charts. Three decimals have a resolution of 2 m.
    package static func minutes(
        _ degrees: Double, _ signs: (String, String), _ glyphs: Glyphs
    ) -> String {
        guard degrees.isFinite, abs(degrees) <= 360 else { return glyphs.unknown }
        // Rounding once ensures that there are never 60 minutes.
        let thousandths = Int((abs(degrees) * 60_000).rounded())
        let minutes = String(thousandths / 1000 % 60, width: 2)
        let rest = String(thousandths % 1000, width: 3)
        return "\(thousandths / 60_000)\(glyphs.isASCII ? "d" : "°") \(minutes).\(rest)"
            + "\(glyphs.isASCII ? "'" : "′") \(degrees < 0 ? signs.1 : signs.0)"
    }

    /// Returns text such as `48°07'02.280" N`. Three decimals have a resolution of 3 cm.
    package static func sexagesimal(
        _ degrees: Double, _ signs: (String, String), _ glyphs: Glyphs
    ) -> String {
        guard degrees.isFinite, abs(degrees) <= 360 else { return glyphs.unknown }
        // Rounding once ensures that there are never 60 seconds.
        let thousandths = Int((abs(degrees) * 3_600_000).rounded())
        let seconds = thousandths / 1000
        let second = String(seconds % 60, width: 2) + "." + String(thousandths % 1000, width: 3)
        return "\(seconds / 3600)\(glyphs.isASCII ? "d" : "°")"
            + "\(String(seconds / 60 % 60, width: 2))'\(second)\" "
            + (degrees < 0 ? signs.1 : signs.0)
    }
}

/// The Maidenhead locator used by radio amateurs, such as `JN58td25`.
package enum Maidenhead {
    /// Returns a locator of ten characters, for a rectangle of about 25 m by 19 m in Europe; `nil`
    /// if the coordinate is invalid.
    package static func locator(_ coordinate: Coordinate) -> String? {
        guard coordinate.isValid else { return nil }
        // Integer arithmetic makes the borders of all rectangles exact.
        let parts = 18 * 10 * 24 * 10 * 24
        func part(_ fraction: Double) -> Int {
            min(parts - 1, max(0, Int((fraction * Double(parts)).rounded(.down))))
        }
        let east = part((coordinate.longitude + 180) / 360)
        let north = part((coordinate.latitude + 90) / 180)
        var text = ""
        var rest = parts
        for (count, first) in [(18, "A"), (10, "0"), (24, "a"), (10, "0"), (24, "a")]
            as [(Int, Unicode.Scalar)]
        {
            rest /= count
            for value in [east, north] {
                let scalar = Unicode.Scalar(first.value + UInt32(value / rest % count))
                text.unicodeScalars.append(scalar ?? "?")
            }
        }
        return text
    }
}

package enum PositionNotation: Int, CaseIterable, Sendable {
    case decimal, minutes, sexagesimal, utm, mgrs, maidenhead

    /// The name shown on the screen.
    package var name: String {
        switch self {
        case .decimal: "decimal"
        case .minutes: "DM"
        case .sexagesimal: "DMS"
        case .utm: "UTM"
        case .mgrs: "MGRS"
        case .maidenhead: "Maidenhead"
        }
    }

    /// Returns a position as one line of text.
    package func text(_ coordinate: Coordinate, _ glyphs: Glyphs) -> String {
        guard coordinate.isValid else { return "not on Earth" }
        func angles(_ text: (Double, (String, String), Glyphs) -> String, _ width: Int) -> String {
            text(coordinate.latitude, ("N", "S"), glyphs).leading(width) + "  "
                + text(coordinate.longitude, ("E", "W"), glyphs).leading(width + 1)
        }
        switch self {
        case .decimal: return angles(AngleText.decimal, 13)
        case .minutes: return angles(AngleText.minutes, 13)
        case .sexagesimal: return angles(AngleText.sexagesimal, 15)
        case .utm: return UTM(coordinate)?.text ?? UPS(coordinate)?.text ?? glyphs.unknown
        case .mgrs: return UTM(coordinate)?.mgrs ?? UPS(coordinate)?.mgrs ?? glyphs.unknown
        case .maidenhead: return Maidenhead.locator(coordinate) ?? glyphs.unknown
        }
    }
}

/// Krüger's series for the transverse Mercator projection of WGS 84, to sixth order in the third
/// flattening. Its error is less than a millimetre wherever UTM is used.
private enum TransverseMercator {
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

/// Universal polar stereographic (UPS) coordinates: metres around a pole, where UTM is not defined.
package struct UPS: Hashable, Sendable {
    /// The zone: A (west) or B (east) around the south pole, Y (west) or Z (east) around the north
    /// pole.
    private let zone: Character
    /// The easting in metres; 2 000 000 at the pole.
    package let easting: Double
    /// The northing in metres; 2 000 000 at the pole.
    package let northing: Double

    private static let pole = 2_000_000.0

    /// Projects a coordinate. Returns `nil` from 80° S to 84° N, where UTM is used, and for invalid
    /// coordinates.
    package init?(_ coordinate: Coordinate) {
        let latitude = coordinate.latitude
        guard coordinate.isValid, latitude < -80 || latitude >= 84 else { return nil }
        let isNorth = latitude > 0
        let distance = Self.distance(fromPoleAt: abs(latitude))
        let longitude = coordinate.longitude * .pi / 180
        easting = Self.pole + distance * sin(longitude)
        northing = Self.pole + (isNorth ? -distance : distance) * cos(longitude)
        let isEast = easting >= Self.pole
        zone = isNorth ? (isEast ? "Z" : "Y") : (isEast ? "B" : "A")
    }

    /// Returns the projected distance from the pole in metres for a latitude in degrees (polar
    /// stereographic, variant A, EPSG 9810).
    private static func distance(fromPoleAt latitude: Double) -> Double {
        let phi = latitude * .pi / 180
        let e = WGS84.eccentricity
        let t =
            tan(.pi / 4 - phi / 2) * pow((1 + e * sin(phi)) / (1 - e * sin(phi)), e / 2)
        return 2 * WGS84.semiMajor * 0.994 * t
            / (pow(1 + e, 1 + e) * pow(1 - e, 1 - e)).squareRoot()
    }

    /// The coordinates as text in whole metres, truncated as usual: `UPS Z 2392767 1607232`.
    package var text: String { "UPS \(zone) \(Int(easting)) \(Int(northing))" }

    /// The grid reference in the Military Grid Reference System, with a resolution of 1 m: `Z FD
    /// 92767 07232`.
    package var mgrs: String {
        let (east, north) = (Int(easting), Int(northing))
        let isNorth = zone == "Y" || zone == "Z"
        // The first 100 km squares that are used. Each zone has its own letters.
        let first = isNorth ? 13 : 8
        let columns: (first: Int, letters: [Character]) =
            switch zone {
            case "A": (first, Array("JKLPQRSTUXYZ"))
            case "Y": (first, Array("RSTUXYZ"))
            case "Z": (20, Array("ABCFGHJ"))
            default: (20, Array("ABCFGHJKLPQR"))
            }
        let rows = Array(isNorth ? "ABCDEFGHJKLMNP" : "ABCDEFGHJKLMNPQRSTUVWXYZ")
        let column = min(columns.letters.count - 1, max(0, east / 100_000 - columns.first))
        let row = min(rows.count - 1, max(0, north / 100_000 - first))
        return "\(zone) \(columns.letters[column])\(rows[row]) "
            + "\(String(east % 100_000, width: 5)) \(String(north % 100_000, width: 5))"
    }
}

/// Universal transverse Mercator (UTM) coordinates: a zone, and metres in it. They are defined from
/// 80° S to 84° N.
package struct UTM: Hashable, Sendable {
    /// The zone, 1 to 60.
    package let zone: Int
    /// The latitude band, C to X.
    package let band: Character
    /// The easting in metres; 500 000 on the central meridian.
    package let easting: Double
    /// The northing in metres: from the equator, plus 10 000 000 in the southern hemisphere.
    package let northing: Double

    private static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

    /// Projects a coordinate. Returns `nil` near the poles, where UTM is not defined, and for
    /// invalid coordinates.
    package init?(_ coordinate: Coordinate) {
        let latitude = coordinate.latitude
        guard coordinate.isValid, latitude >= -80, latitude < 84 else { return nil }
        // A longitude of 180° E equals 180° W.
        let longitude = coordinate.longitude >= 180 ? -180 : coordinate.longitude
        let row = min(19, Int((latitude + 80) / 8))
        zone = Self.zone(latitude: latitude, longitude: longitude)
        band = Self.bands[row]
        var offset = longitude - Double(zone * 6 - 183)
        if offset > 180 { offset -= 360 }
        let (east, north) = TransverseMercator.project(latitude: latitude, longitude: offset)
        easting = 500_000 + 0.9996 * east
        northing = (latitude < 0 ? 10_000_000 : 0) + 0.9996 * north
    }

    private static func zone(latitude: Double, longitude: Double) -> Int {
        // All of south-west Norway is in zone 32; Svalbard has four zones instead of seven.
        if 56..<64 ~= latitude, 3..<12 ~= longitude { return 32 }
        if latitude >= 72, 0..<42 ~= longitude {
            return longitude < 9 ? 31 : longitude < 21 ? 33 : longitude < 33 ? 35 : 37
        }
        return Int((longitude + 180) / 6) + 1
    }

    /// The coordinates as text in whole metres, truncated as usual: `32U 691614 5332432`.
    package var text: String {
        "\(String(zone, width: 2))\(band) \(Int(easting)) \(Int(northing))"
    }

    /// The grid reference in the Military Grid Reference System, with a resolution of 1 m: `32U PU
    /// 91614 32432`.
    package var mgrs: String {
        let columns = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")
        let rows = Array("ABCDEFGHJKLMNPQRSTUV")
        let (east, north) = (Int(easting), Int(northing))
        // The column letters continue in the next zone and repeat every three zones. The row
        // letters of even zones are shifted by five.
        let column = columns[((zone - 1) % 3 * 8 + max(0, east / 100_000 - 1)) % 24]
        let row = rows[(north / 100_000 + (zone % 2 == 0 ? 5 : 0)) % 20]
        return "\(String(zone, width: 2))\(band) \(column)\(row) "
            + "\(String(east % 100_000, width: 5)) \(String(north % 100_000, width: 5))"
    }
}
