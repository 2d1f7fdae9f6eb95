// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSTestSupport
import Testing

/// The waypoints of GPX files.
@Suite(.timeLimit(.generous))
struct GPXWaypointsTests {
    private func route(_ content: String) throws -> [RoutePoint] {
        let folder = try TemporaryFolder()
        let text = #"<?xml version="1.0"?><gpx version="1.1" creator="x">\#(content)</gpx>"#
        defer { withExtendedLifetime(folder) {} }
        return try GPXWaypoints(path: folder.file("way.gpx", Array(text.utf8))).route
    }

    private static let waypoints = """
        <wpt lat="54.1" lon="10.1"><ele>3</ele><name> Harbour </name></wpt>
        <wpt lat="54.2" lon="10.2"/>
        """

    @Test func `the first route is read, with the names of its points`() throws {
        let route = try route(
            """
            \(Self.waypoints)<rte><name>Trip</name>
            <rtept lat="54.3" lon="-10.3"><name>A &amp; B</name><extensions><name>x</name></extensions></rtept>
            <rtept lat="54.4" lon="10.4"></rtept></rte>
            <rte><rtept lat="1" lon="1"/></rte><trk><trkseg><trkpt lat="2" lon="2"/></trkseg></trk>
            """)
        #expect(
            route == [
                RoutePoint(Coordinate(latitude: 54.3, longitude: -10.3), name: "A & B"),
                RoutePoint(Coordinate(latitude: 54.4, longitude: 10.4)),
            ])
    }

    @Test func `a route without points is skipped`() throws {
        let route = try route(
            #"\#(Self.waypoints)<rte><name>Empty</name></rte><rte><rtept lat="1" lon="2"/></rte>"#
                + #"<rte><rtept lat="3" lon="4"/></rte>"#)
        #expect(route == [RoutePoint(Coordinate(latitude: 1, longitude: 2))])
    }

    @Test func `without a route it is the first waypoint`() throws {
        #expect(
            try route(Self.waypoints)
                == [RoutePoint(Coordinate(latitude: 54.1, longitude: 10.1), name: "Harbour")])
    }

    @Test func `values outside the route are not checked`() throws {
        let route = try route(
            #"<wpt lat="54.1" lon="10.1"><time>yesterday</time></wpt><rte><rtept lat="1" lon="2"/>"#
                + #"</rte><trk><trkseg><trkpt lat="91" lon="1"/></trkseg></trk>"#)
        #expect(route == [RoutePoint(Coordinate(latitude: 1, longitude: 2))])
    }

    @Test(arguments: [
        (#"<trk><trkseg><trkpt lat="2" lon="2"/></trkseg></trk>"#, GPXError.Code.noPoints),
        ("<rte></rte>", .noPoints), (#"<rte><rtept lat="91" lon="1"/></rte>"#, .badPoint),
        (#"<wpt lon="1"/>"#, .badPoint), ("<wpt", .malformed),
    ])
    func `a file without either, or with a bad point, is refused`(
        _ content: String, _ code: GPXError.Code
    ) {
        let error = #expect(throws: GPXError.self) { try route(content) }
        #expect(error?.code == code)
    }
}
