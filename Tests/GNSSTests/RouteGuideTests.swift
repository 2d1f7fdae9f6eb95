// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// The way to a waypoint.
@Suite(.timeLimit(.generous))
struct RouteGuideTests {
    private static let start = Coordinate(latitude: 54, longitude: 10)

    private func fix(
        at position: Coordinate, speed: Double? = nil, course: Double? = nil
    ) -> Fix {
        var fix = Fix()
        (fix.mode, fix.coordinate, fix.speed, fix.course) = (.threeD, position, speed, course)
        return fix
    }

    private func close(_ a: Double?, _ b: Double, _ tolerance: Double = 0.01) -> Bool {
        a.map { abs($0 - b) <= tolerance } ?? false
    }

    @Test func `distance and bearing are those of the geodesic`() throws {
        let target = Coordinate(latitude: 55.5, longitude: 13)
        var guide = try #require(RouteGuide([RoutePoint(target)]))
        #expect(guide.receive(fix(at: Self.start)) == nil)
        let path = try #require(Geodesic(from: Self.start, to: target))
        #expect(close(guide.state.distance, path.length, 0.001))
        #expect(close(guide.state.bearing, path.course, 1e-9))
        #expect(close(guide.state.crossTrackError, 0))
        #expect(guide.state.velocityMadeGood == nil && guide.state.timeToGo == nil)
    }

    @Test(arguments: [
        (5.0, 90.0, 5.0, 2000.0), (5, 150, 2.5, 4000), (5, 180, 0, nil), (5, 270, -5, nil),
        (0.05, 90, 0.05, nil),
    ])
    func `time to go follows from the velocity towards the waypoint, if that is positive`(
        _ speed: Double, _ course: Double, _ velocity: Double, _ seconds: Double?
    ) throws {
        // The waypoint is 10 km away, in the direction 90°.
        let target = Self.start.moved(by: 10_000, course: 90)
        var guide = try #require(RouteGuide([RoutePoint(target)]))
        _ = guide.receive(fix(at: Self.start, speed: speed, course: course))
        #expect(close(guide.state.velocityMadeGood, velocity, 1e-6))
        #expect(guide.state.timeToGo.map { ($0 * 1000).rounded() / 1000 } == seconds)
    }

    @Test(arguments: [(1.0, 40.0), (120_000, 2500), (299_000, -70), (60_000, -25_000)])
    func `the cross-track error is the distance from the line, positive to its right`(
        _ along: Double, _ across: Double
    ) throws {
        let line = Geodesic(from: Self.start, course: 63, length: 300_000)
        let target = line.point(at: line.length).coordinate
        var guide = try #require(RouteGuide([RoutePoint(target)]))
        _ = guide.receive(fix(at: Self.start))
        let abeam = line.point(at: along)
        let position = abeam.coordinate.moved(by: across, course: abeam.course + 90)
        _ = guide.receive(fix(at: position))
        #expect(close(guide.state.crossTrackError, across, 0.01))
    }

    @Test func `a route continues with its next leg when a waypoint is reached twice`() throws {
        let points = [1000.0, 3000].map { Self.start.moved(by: $0, course: 0) }
        var guide = try #require(
            RouteGuide([RoutePoint(points[0], name: "buoy"), RoutePoint(points[1])]))
        _ = guide.receive(fix(at: Self.start))
        _ = guide.receive(fix(at: points[0].moved(by: 51, course: 180)))
        #expect(guide.receive(fix(at: points[0].moved(by: 49, course: 90))) == nil)
        #expect(guide.state.number == 1)
        let news = guide.receive(fix(at: points[0].moved(by: 49, course: 90)))
        #expect(news == "arrived at buoy, next is waypoint 2")
        #expect(guide.state.number == 2 && guide.state.count == 2)
        // The leg begins at the waypoint, not at the position.
        #expect(close(guide.state.crossTrackError, 49, 0.1))
        _ = guide.receive(fix(at: points[1]))
        #expect(guide.receive(fix(at: points[1])) == "arrived at waypoint 2")
        #expect(guide.receive(fix(at: points[1])) == nil)
        #expect(guide.state.hasArrived && guide.state.number == 2)
    }

    @Test func `a waypoint that is passed at 150 m is reached, but not before it is abeam`() throws
    {
        let target = Self.start.moved(by: 1000, course: 0)
        var guide = try #require(RouteGuide([RoutePoint(target)]))
        _ = guide.receive(fix(at: Self.start))
        let abeam = target.moved(by: 150, course: 90)
        for _ in 0..<3 { _ = guide.receive(fix(at: abeam.moved(by: 20, course: 180))) }
        #expect(!guide.state.hasArrived)
        for _ in 0..<2 { _ = guide.receive(fix(at: abeam.moved(by: 20, course: 0))) }
        #expect(guide.state.hasArrived)
    }

    /// A route that leads 10 km to the east and then turns.
    private static func route(turningTo course: Double) -> [RoutePoint] {
        let corner = start.moved(by: 10_000, course: 90)
        return [start, corner, corner.moved(by: 10_000, course: course)].map { RoutePoint($0) }
    }

    @Test(arguments: [
        // The course of the next leg; a position before the turn and one past it, as metres before
        // or past the corner, and to the right of the leg.
        (90.0, (-100.0, 3000.0), (100.0, 3000.0)),
        (170, (-700, 500), (-300, 500)),
        (170, (500, -700), (700, -500)),
        (268, (-5000, 400), (50, 400)),
    ])
    func `a waypoint that is passed at a distance is left behind`(
        _ course: Double, _ before: (Double, Double), _ past: (Double, Double)
    ) throws {
        func place(_ place: (Double, Double)) -> Coordinate {
            Self.start.moved(by: 10_000 + place.0, course: 90).moved(by: place.1, course: 180)
        }
        var guide = try #require(RouteGuide(Self.route(turningTo: course)))
        for _ in 0..<2 { _ = guide.receive(fix(at: Self.start)) }
        #expect(guide.state.number == 2)
        for _ in 0..<3 { #expect(guide.receive(fix(at: place(before))) == nil) }
        #expect(guide.receive(fix(at: place(past))) == nil)
        #expect(guide.receive(fix(at: place(past))) == "passed waypoint 2, next is waypoint 3")
        #expect(guide.state.number == 3)
    }

    @Test(arguments: [(9_000.0, 3), (50_000, 2)])
    func `a waypoint that is farther away than both of its legs is not passed`(
        _ distance: Double, _ number: Int
    ) throws {
        var guide = try #require(RouteGuide(Self.route(turningTo: 90)))
        for _ in 0..<2 { _ = guide.receive(fix(at: Self.start)) }
        let abeam = Self.start.moved(by: 10_500, course: 90).moved(by: distance, course: 180)
        for _ in 0..<3 { _ = guide.receive(fix(at: abeam)) }
        #expect(guide.state.number == number)
    }

    @Test func `after a restart, a route continues with its nearest leg`() throws {
        let route = Self.route(turningTo: 180)
        var guide = try #require(RouteGuide(route))
        let position = route[1].coordinate.moved(by: 5000, course: 180).moved(by: 300, course: 90)
        #expect(guide.receive(fix(at: position)) == "the route continues with waypoint 3 (3 of 3)")
        #expect(close(guide.state.crossTrackError, -300, 1))
        #expect(guide.receive(fix(at: position)) == nil)
    }

    @Test(arguments: [(0.0, 0.0), (180, 150), (270, 5000), (0, 3000)])
    func `a round trip begins with its first waypoint, although it ends beside it`(
        _ course: Double, _ distance: Double
    ) throws {
        let route = Self.route(turningTo: 180) + [RoutePoint(Self.start)]
        var guide = try #require(RouteGuide(route))
        _ = guide.receive(fix(at: Self.start.moved(by: distance, course: course)))
        #expect(guide.state.number == 1)
    }

    @Test func `a leg does not begin at a position in an integrity alarm`() throws {
        let target = Self.start.moved(by: 10_000, course: 90)
        var guide = try #require(RouteGuide([RoutePoint(target)]))
        var doubtful = fix(at: Self.start.moved(by: 20_000, course: 0))
        doubtful.integrity = Integrity(state: .alarm)
        _ = guide.receive(doubtful)
        _ = guide.receive(fix(at: Self.start))
        _ = guide.receive(fix(at: Self.start.moved(by: 1000, course: 90)))
        #expect(close(guide.state.crossTrackError, 0, 1))
    }

    @Test func `a position in an integrity alarm reaches nothing`() throws {
        let target = Self.start.moved(by: 1000, course: 0)
        var guide = try #require(RouteGuide([RoutePoint(target)]))
        var doubtful = fix(at: target)
        doubtful.integrity = Integrity(state: .alarm)
        for _ in 0..<5 { #expect(guide.receive(doubtful) == nil) }
        #expect(!guide.state.hasArrived)
    }

    @Test func `without a position only the waypoint is known`() throws {
        let target = Self.start.moved(by: 1000, course: 0)
        var guide = try #require(RouteGuide([RoutePoint(target, name: "Ærø \"N\"")]))
        _ = guide.receive(fix(at: Self.start, speed: 5, course: 0))
        _ = guide.receive(Fix())
        var object = JSONObject()
        guide.state.add(to: &object)
        #expect(
            object.members
                == #","waypointName":"\u00c6r\u00f8 \"N\"","waypointNumber":1,"waypointCount":1,"#
                + #""waypointLatitude":54.008984315,"waypointLongitude":10.000000000"#)
    }

    @Test func `a route needs a waypoint`() { #expect(RouteGuide([]) == nil) }
}
