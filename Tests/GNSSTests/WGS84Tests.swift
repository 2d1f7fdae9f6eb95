// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct LocalPlaneTests {
    private func point(
        _ origin: (Double, Double), _ other: (Double, Double)
    ) -> LocalPlane.Point {
        LocalPlane(at: Coordinate(latitude: origin.0, longitude: origin.1))
            .point(at: Coordinate(latitude: other.0, longitude: other.1))
    }

    @Test func `a hundredth of a degree has its length on the ellipsoid`() {
        // Karney's GeographicLib: 1111.92 m along the meridian at 48° N, 746.09 m along the
        // parallel.
        #expect(abs(point((48, 11), (48.01, 11)).north - 1111.92) < 0.5)
        #expect(abs(point((48, 11), (48, 11.01)).east - 746.09) < 0.5)
        #expect(abs(point((48, 11), (48, 11.01)).north) < 0.1)
    }

    @Test func `distances across the date line are right`() {
        let there = point((-16.5, 179.99), (-16.5, -179.99))
        #expect(abs(there.east - 2135.0) < 2)
    }

    @Test func `distances around a pole are right`() {
        let there = point((89.9999, 10), (89.9999, -170))
        #expect(abs(there.north - 22.34) < 0.05)
        #expect(abs(there.east) < 0.01)
    }

    @Test func `far from the origin, distances and directions are preserved`() {
        // A quarter of the globe along the equator, and half of it.
        #expect(abs(point((0, 0), (0, 90)).east - 10_018_754) < 1)
        #expect(abs(point((0, 0), (0, 179.999)).distance - 20_037_397) < 500)
        // Vienna to New York: 6 820 km, to the north-west.
        let there = point((48.2, 16.37), (40.71, -74.01))
        #expect(abs(there.distance - 6_820_000) < 25_000)
        #expect(there.east < 0 && there.north > 0)
    }

    @Test func `the projection is continuous at 10 km`() {
        let near = point((48, 11), (48.0898, 11))
        let far = point((48, 11), (48.0900, 11))
        #expect(abs((far.north - near.north) - 22.24) < 0.05)
    }
}

@Suite(.timeLimit(.generous)) struct GeoidModelTests {
    // The test values published with EGM96 (`OUTPUT.DAT` of its program F477).
    @Test(arguments: [
        (38.628155, 269.779155 - 360, -31.628), (-14.621217, 305.021114 - 360, -2.969),
        (46.874319, 102.448729, -43.575), (-23.617446, 133.874712, 15.871),
        (38.625473, 359.9995 - 360, 50.066), (-0.466744, 0.0023, 17.329),
    ])
    func `the geoid is within 4 m of the published test values`(
        latitude: Double, longitude: Double, height: Double
    ) throws {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        let separation = try #require(GeoidModel.separation(at: position))
        #expect(abs(separation - height) < 4)
    }

    @Test func `the geoid is continuous at the date line and one height at a pole`() throws {
        func separation(_ latitude: Double, _ longitude: Double) -> Double? {
            GeoidModel.separation(at: Coordinate(latitude: latitude, longitude: longitude))
        }
        #expect(separation(-17, 180) == separation(-17, -180))
        #expect(separation(90, 12) == separation(90, -120))
        #expect(separation(-90, 12) == -30)
        #expect(separation(91, 0) == nil)
        #expect(separation(.nan, 0) == nil)
    }
}

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
