// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct UTMTests {
    /// The results of PROJ 9.1, to a tenth of a millimetre.
    @Test(arguments: [
        (48.14666, 11.60833, 32, 694010.3034, 5_335_891.4860),
        (43.642567, -79.387139, 17, 630084.3008, 4_833_438.5857),
        (48.858222, 2.2945, 31, 448251.8179, 5_411_935.1232),
        (-33.8568, 151.2153, 56, 334900.5697, 6_252_288.7529),
        (-79.9, -179.9, 1, 443247.8718, 1_128_161.3729),
        (33.3, 44.4, 38, 444140.5449, 3_684_706.3555),
        (0.0, 0.0, 31, 166021.4431, 0.0),
        (-0.000001, 179.999999, 60, 833978.4455, 9_999_999.8893),
        (78.22, 15.65, 33, 514813.5273, 8_683_004.1533),
    ])
    func `agrees with PROJ to a millimetre`(
        _ latitude: Double, _ longitude: Double, _ zone: Int, _ easting: Double, _ northing: Double
    ) throws {
        let utm = try #require(UTM(Coordinate(latitude: latitude, longitude: longitude)))
        #expect(utm.zone == zone)
        #expect(abs(utm.easting - easting) < 0.001)
        #expect(abs(utm.northing - northing) < 0.001)
    }

    @Test(
        arguments: [
            (60.39, 5.32, 32, "V"), (60.39, 2.99, 31, "V"), (55.99, 5.32, 31, "U"),
            (78.22, 8.99, 31, "X"), (78.22, 9.0, 33, "X"), (78.22, 21.0, 35, "X"),
            (78.22, 33.0, 37, "X"), (83.99, 41.9, 37, "X"), (71.99, 9.5, 32, "W"),
            (-80.0, 180.0, 1, "C"), (0.0, -180.0, 1, "N"),
        ] as [(Double, Double, Int, Character)])
    func `UTM has the zones of Norway, Svalbard and the date line`(
        _ latitude: Double, _ longitude: Double, _ zone: Int, _ band: Character
    ) throws {
        let utm = try #require(UTM(Coordinate(latitude: latitude, longitude: longitude)))
        #expect(utm.zone == zone)
        #expect(utm.band == band)
        #expect(100_000..<900_000 ~= utm.easting)
    }

    @Test(arguments: [84.0, 90, -80.0001, -90, 91, .nan])
    func `UTM does not cover the poles`(_ latitude: Double) {
        #expect(UTM(Coordinate(latitude: latitude, longitude: 10)) == nil)
    }

    /// The Eiffel Tower and the CN Tower from maps; the third is GeographicLib's example.
    @Test(arguments: [
        (48.858222, 2.2945, "31U DQ 48251 11935"),
        (43.642567, -79.387139, "17T PJ 30084 33438"),
        (33.33424, 44.40363, "38S MB 44500 88500"),
        (0.0, 0.0, "31N AA 66021 00000"),
    ])
    func `MGRS names the square and the metre`(
        _ latitude: Double, _ longitude: Double, _ reference: String
    ) throws {
        let utm = try #require(UTM(Coordinate(latitude: latitude, longitude: longitude)))
        let (mine, theirs) = (utm.mgrs.split(separator: " "), reference.split(separator: " "))
        #expect(mine[0] == theirs[0])
        #expect(mine[1] == theirs[1])
        for index in 2...3 {
            let (a, b) = (try #require(Int(mine[index])), try #require(Int(theirs[index])))
            #expect(abs(a - b) <= 1)
        }
    }
}

@Suite(.timeLimit(.generous))
struct MaidenheadTests {
    /// Munich, ARRL's station W1AW, Montevideo and Washington, as printed in articles about it.
    @Test(arguments: [
        (48.14666, 11.60833, "JN58td"), (41.714775, -72.727260, "FN31pr"),
        (-34.91, -56.21166, "GF15vc"), (38.92, -77.065, "FM18lw"),
        (90.0, 180.0, "RR99xx"), (-90.0, -180.0, "AA00aa"), (0.0, 0.0, "JJ00aa"),
    ])
    func `agrees with published locators`(
        _ latitude: Double, _ longitude: Double, _ locator: String
    ) throws {
        let text = Maidenhead.locator(Coordinate(latitude: latitude, longitude: longitude))
        #expect(text.map { String($0.prefix(6)) } == locator)
        #expect(text?.count == 10)
    }

    @Test func `an invalid position has no locator`() {
        #expect(Maidenhead.locator(Coordinate(latitude: .nan, longitude: 0)) == nil)
        #expect(Maidenhead.locator(Coordinate(latitude: 0, longitude: 181)) == nil)
    }
}

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
