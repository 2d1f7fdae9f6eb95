// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct UPSTests {
    /// The results of PROJ 9 (EPSG 32661 and 32761).
    @Test(arguments: [
        (84.0, 0.0, 2_000_000.0, 1_333_272.2963), (86.5, -120.25, 1_664_227.7013, 2_195_816.6170),
        (89.999, 179.5, 2_000_000.9689, 2_000_111.0196), (90, 0, 2_000_000, 2_000_000),
        (-80.0001, 0, 2_000_000, 3_112_939.9530), (-86.5, -120.25, 1_664_227.7013, 1_804_183.3830),
        (-90, 0, 2_000_000, 2_000_000), (-85, 45, 2_392_767.6881, 2_392_767.6881),
    ])
    func `agrees with PROJ to a millimetre`(
        _ latitude: Double, _ longitude: Double, _ easting: Double, _ northing: Double
    ) throws {
        let ups = try #require(UPS(Coordinate(latitude: latitude, longitude: longitude)))
        #expect(abs(ups.easting - easting) < 0.001)
        #expect(abs(ups.northing - northing) < 0.001)
    }

    /// The results of GeoTrans (by the Python package mgrs).
    @Test(arguments: [
        (84.5, 0.0, "Z AA 00000 88918"), (84.5, -179, "Y ZP 89335 10988"),
        (86.5, -120.25, "Y UJ 64227 95816"), (89.999, 179.5, "Z AH 00000 00111"),
        (90, 0, "Z AH 00000 00000"), (85, 45, "Z FD 92767 07232"),
        (-81, 0.1, "B AY 01747 01189"), (-81, -0.1, "A ZY 98252 01189"),
        (-86.5, -120.25, "A UL 64227 04183"), (-89.999, 179.5, "B AM 00000 99888"),
        (-85, 45, "B FR 92767 92767"), (-80.5, 100, "B QL 40992 16444"),
        (-80.5, -100, "A KL 59007 16444"),
    ])
    func `MGRS names the square and the metre around the poles`(
        _ latitude: Double, _ longitude: Double, _ reference: String
    ) throws {
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        #expect(try #require(UPS(coordinate)).mgrs == reference)
        #expect(PositionNotation.mgrs.text(coordinate, Glyphs(isASCII: true)) == reference)
    }

    @Test(arguments: [84.0, 83.999999, -80, -80.000001, 0, 90, -90])
    func `every position is in either UTM or UPS`(_ latitude: Double) {
        let coordinate = Coordinate(latitude: latitude, longitude: -77)
        #expect((UTM(coordinate) == nil) != (UPS(coordinate) == nil))
    }

    @Test(arguments: [91.0, -90.1, .nan, .infinity])
    func `an invalid position is in neither UTM nor UPS`(_ latitude: Double) {
        #expect(UPS(Coordinate(latitude: latitude, longitude: 0)) == nil)
    }
}
