// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct CoordinateDistanceTests {
    private static let vienna = Coordinate(latitude: 48.2082, longitude: 16.3738)
    private static let sydney = Coordinate(latitude: -33.8688, longitude: 151.2093)

    // Results of GeographicLib's GeodSolve.
    @Test func `distance and course are those of the geodesic, in both directions`() throws {
        let flinders = Coordinate(latitude: -37.95103341667, longitude: 144.42486788889)
        let buninyong = Coordinate(latitude: -37.65282113889, longitude: 143.92649552778)
        #expect(abs(flinders.distance(to: buninyong) - 54_972.271) < 0.001)
        #expect(flinders.distance(to: buninyong) == flinders.distance(from: buninyong))
        #expect(abs(try #require(flinders.course(to: buninyong)) - 306.868_158_3) < 1e-6)
        #expect(abs(try #require(buninyong.course(to: flinders)) - 127.173_630_6) < 1e-6)
    }

    @Test(arguments: [
        (vienna, sydney), (sydney, vienna),
        (vienna, Coordinate(latitude: 48.2083, longitude: 16.3738)),
        (
            Coordinate(latitude: 52.5, longitude: 179.9),
            Coordinate(latitude: 51.9, longitude: -179.5)
        ),
        (Coordinate(latitude: 90, longitude: 0), vienna),
        (Coordinate(latitude: -90, longitude: 120), vienna),
        (Coordinate(latitude: 0, longitude: 10), Coordinate(latitude: 0, longitude: -60)),
    ])
    func `a point moved by the distance and course to another point reaches it`(
        _ start: Coordinate, _ end: Coordinate
    ) throws {
        let course = try #require(start.course(to: end))
        #expect((0..<360).contains(course))
        let there = start.moved(by: start.distance(to: end), course: course)
        #expect(there.distance(to: end) < 0.001)
    }

    @Test func `from a pole every course leads along a meridian`() throws {
        let north = Coordinate(latitude: 90, longitude: 0)
        let course = try #require(north.course(to: Coordinate(latitude: 0, longitude: 90)))
        #expect(abs(course - 90) < 1e-9)
        #expect(Self.vienna.course(to: north).map { min($0, 360 - $0) < 1e-9 } == true)
        let south = try #require(Self.vienna.course(to: Coordinate(latitude: -90, longitude: 7)))
        #expect(abs(south - 180) < 1e-9)
        let over = Self.vienna.moved(by: 6_000_000, course: 0)
        #expect(over.isValid && abs(over.longitude - (16.3738 - 180)) < 1e-6)
        #expect(north.distance(to: Coordinate(latitude: 90, longitude: 77)) < 1e-6)
    }

    @Test func `opposite points have a distance and a course`() throws {
        let opposite = Coordinate(latitude: -48.2082, longitude: 16.3738 - 180)
        // Half a meridian is 20 003.931 km long.
        #expect(abs(Self.vienna.distance(to: opposite) - 20_003_931.459) < 0.001)
        #expect(Self.vienna.course(to: opposite) == 0)
        let nearly = Coordinate(latitude: -48.0, longitude: 16.3738 - 180)
        #expect(abs(Self.vienna.distance(to: nearly) - 20_003_931) < 40_000)
        let course = try #require(Self.vienna.course(to: nearly))
        #expect(min(course, 360 - course) < 1)
        let origin = Coordinate(latitude: 0, longitude: 0)
        #expect(origin.course(to: Coordinate(latitude: 0, longitude: 180)) == 0)
    }

    // Results of GeographicLib, for points between which Vincenty's solution does not converge.
    @Test(
        arguments: [
            ((0, 0), (0.5, 179.5), 19_936_288.579, 25.671_872_9),
            ((0, 0), (0.5, 179.7), 19_944_127.421, 15.556_882_8),
            ((-30, 10), (29.9, -170.2), 19_989_832.828, 161.890_524_8),
            ((30, -10), (-30.1, 169.8), 19_989_833.797, 161.897_862_8),
            ((29.9, 170.2), (-30, -10), 19_989_832.828, 161.909_262_8),
            ((-29.9, -170.2), (30, 10), 19_989_832.828, 341.909_262_8),
        ] as [((Double, Double), (Double, Double), Double, Double)])
    func `the distance between nearly antipodal points is exact to a millimetre`(
        _ from: (Double, Double), _ to: (Double, Double), _ distance: Double, _ course: Double
    ) throws {
        let start = Coordinate(latitude: from.0, longitude: from.1)
        let end = Coordinate(latitude: to.0, longitude: to.1)
        #expect(abs(start.distance(to: end) - distance) < 0.001)
        #expect(abs(end.distance(to: start) - distance) < 0.001)
        #expect(abs(try #require(start.course(to: end)) - course) < 1e-5)
        let way = try #require(Geodesic(from: start, to: end))
        #expect(way.point(at: way.length).coordinate.distance(to: end) < 0.001)
    }

    @Test func `opposite poles are half a meridian apart`() {
        let north = Coordinate(latitude: 90, longitude: 0)
        for longitude in [0, 50, 180] as [Double] {
            let south = Coordinate(latitude: -90, longitude: longitude)
            #expect(abs(north.distance(to: south) - 20_003_931.459) < 0.001)
        }
    }

    @Test func `to the same point the distance is 0 and the course is unknown`() {
        #expect(Self.vienna.distance(to: Self.vienna) == 0)
        #expect(Self.vienna.course(to: Self.vienna) == nil)
        #expect(Self.vienna.moved(by: 0, course: 123) == Self.vienna)
        // The date line is one meridian.
        let (east, west) = (
            Coordinate(latitude: 1, longitude: 180), Coordinate(latitude: 1, longitude: -180)
        )
        #expect(east.distance(to: west) < 1e-6 && east.course(to: west) == nil)
    }

    @Test func `a negative distance moves in the opposite direction, and courses wrap`() {
        let there = Self.vienna.moved(by: 1000, course: 90)
        #expect(Self.vienna.moved(by: -1000, course: 270).distance(to: there) < 1e-6)
        #expect(Self.vienna.moved(by: 1000, course: -270).distance(to: there) < 1e-6)
        #expect(abs(there.longitude - 16.387_26) < 1e-5)
    }

    @Test(arguments: [
        Coordinate(latitude: 91, longitude: 0), Coordinate(latitude: 0, longitude: 181),
        Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 0, longitude: .infinity),
    ])
    func `an invalid coordinate has no distance, course or neighbour`(_ invalid: Coordinate) {
        #expect(invalid.distance(to: Self.vienna).isNaN && Self.vienna.distance(to: invalid).isNaN)
        #expect(invalid.course(to: Self.vienna) == nil && Self.vienna.course(to: invalid) == nil)
        #expect(
            !invalid.moved(by: 10, course: 0).isValid && !invalid.moved(by: 0, course: 0).isValid)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `a distance or course that is not finite gives an invalid coordinate`(_ number: Double) {
        #expect(!Self.vienna.moved(by: number, course: 0).isValid)
        #expect(Self.vienna.moved(by: 10, course: number).isValid == number.isFinite)
    }

    @Test(arguments: [1e9, -1e12, .leastNonzeroMagnitude])
    func `any distance on the globe gives a valid coordinate`(_ distance: Double) {
        #expect(Self.vienna.moved(by: distance, course: 45).isValid)
        #expect(Self.vienna.moved(by: 10, course: distance).isValid)
    }
}
