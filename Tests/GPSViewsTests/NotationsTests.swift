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
