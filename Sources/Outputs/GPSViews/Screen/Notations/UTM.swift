// SPDX-License-Identifier: MIT
package import GNSS

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

    static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

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
