// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// Universal polar stereographic (UPS) coordinates: metres around a pole, where UTM is not defined.
package struct UPS: Hashable, Sendable {
    /// The zone: A (west) or B (east) around the south pole, Y (west) or Z (east) around the north
    /// pole.
    package let zone: Character
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
