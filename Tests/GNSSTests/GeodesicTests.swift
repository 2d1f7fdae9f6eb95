// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct GeodesicTests {
    private func degrees(_ degrees: Double, _ minutes: Double, _ seconds: Double) -> Double {
        degrees + minutes / 60 + seconds / 3600
    }

    // From the Geocentric Datum of Australia's technical manual: 54 972.271 m, 306° 52' 05.37".
    @Test func `the distance from Flinders Peak to Buninyong is the published one`() throws {
        let peak = Coordinate(
            latitude: -degrees(37, 57, 3.72030), longitude: degrees(144, 25, 29.52440))
        let buninyong = Coordinate(
            latitude: -degrees(37, 39, 10.15610), longitude: degrees(143, 55, 35.38390))
        let way = try #require(Geodesic(from: peak, to: buninyong))
        #expect(abs(way.length - 54_972.271) < 0.001)
        #expect(abs(way.course - degrees(306, 52, 5.37)) < 0.01 / 3600)
        let end = way.point(at: way.length)
        #expect(abs(end.coordinate.latitude - buninyong.latitude) < 1e-10)
        #expect(abs(end.coordinate.longitude - buninyong.longitude) < 1e-10)
        #expect(abs(end.course - (degrees(127, 10, 25.07) + 180)) < 0.01 / 3600)
    }

    @Test
    func `a quarter of a meridian is 10 001 965.729 m, a degree of the equator 111 319.491 m`()
        throws
    {
        let origin = Coordinate(latitude: 0, longitude: 0)
        let pole = try #require(
            Geodesic(from: origin, to: Coordinate(latitude: 90, longitude: 0)))
        #expect(abs(pole.length - 10_001_965.729) < 0.001)
        let east = try #require(Geodesic(from: origin, to: Coordinate(latitude: 0, longitude: 1)))
        #expect(abs(east.length - 111_319.491) < 0.001)
        #expect(east.course == 90)
    }

    @Test(arguments: [
        (
            Coordinate(latitude: 48.2, longitude: 16.36),
            Coordinate(latitude: -33.9, longitude: 151.2)
        ),
        (
            Coordinate(latitude: 52.5, longitude: 179.9),
            Coordinate(latitude: 51.9, longitude: -179.5)
        ),
        (Coordinate(latitude: 0, longitude: 10), Coordinate(latitude: 0, longitude: -60)),
        (Coordinate(latitude: 89.9, longitude: 0), Coordinate(latitude: 89.9, longitude: 150)),
    ])
    func `a geodesic ends at its end point`(_ start: Coordinate, _ end: Coordinate) throws {
        let way = try #require(Geodesic(from: start, to: end))
        let there = way.point(at: way.length).coordinate
        #expect(abs(there.latitude - end.latitude) < 1e-9)
        #expect(abs(there.longitude - end.longitude) < 1e-6)
        let back = try #require(Geodesic(from: end, to: start))
        #expect(abs(back.length - way.length) < 0.001)
    }

    @Test func `there is no geodesic from an invalid coordinate`() {
        let here = Coordinate(latitude: 10, longitude: 20)
        #expect(Geodesic(from: here, to: Coordinate(latitude: 91, longitude: 0)) == nil)
        #expect(Geodesic(from: here, to: Coordinate(latitude: .nan, longitude: 0)) == nil)
        #expect(Geodesic(from: here, to: here)?.length == 0)
    }
}
