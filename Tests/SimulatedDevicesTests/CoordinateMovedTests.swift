// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

/// Offsets in metres north and east, at any place.
@Suite(.timeLimit(.generous))
struct CoordinateMovedTests {
    private static let places = [
        Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: 48.2, longitude: 16.4),
        Coordinate(latitude: -88.99, longitude: 5), Coordinate(latitude: 89.9995, longitude: -60),
        Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 77),
    ]

    @Test(arguments: places, [1.0, 100, 9000, 100_000])
    func `the distance is as requested, also at the poles and far away`(
        _ place: Coordinate, _ metres: Double
    ) throws {
        for (north, east) in [(1.0, 0.0), (0, 1), (-0.8, 0.6)] {
            let there = place.moved(north: metres * north, east: metres * east)
            #expect(there.isValid)
            let way = try #require(Geodesic(from: place, to: there))
            #expect(abs(way.length - metres) <= metres * 0.01)
        }
        let same = try #require(Geodesic(from: place, to: place.moved(north: 0, east: 0)))
        #expect(same.length == 0)
    }

    @Test(arguments: [(90.0, 100.0), (-90, 100), (89.9995, 100), (70, 100_000), (48, 20_000)])
    func `a circle is round, and its course is the direction of movement`(
        _ latitude: Double, _ radius: Double
    ) throws {
        let circle = CircleTrack(
            center: Coordinate(latitude: latitude, longitude: 10), radius: radius, speed: 10)
        for second in stride(from: 0.0, to: 60, by: 7) {
            let state = circle.state(after: second)
            let spoke = try #require(Geodesic(from: circle.center, to: state.coordinate))
            #expect(abs(spoke.length - radius) < radius * 1e-6)
            let next = circle.state(after: second + 0.01).coordinate
            let way = try #require(Geodesic(from: state.coordinate, to: next))
            #expect(abs(way.length - 0.1) < 0.001)
            let turn = (way.course - (state.course ?? -1) + 540).truncatingRemainder(
                dividingBy: 360)
            #expect(abs(turn - 180) < 0.1, "at \(second) s")
        }
    }
}
