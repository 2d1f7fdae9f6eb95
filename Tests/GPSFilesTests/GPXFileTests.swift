// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct GPXFileTests {
    private static let walk = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="a test" xmlns="http://www.topografix.com/GPX/1/1">
          <metadata><time>2020-01-01T00:00:00Z</time></metadata>
          <wpt lat="1" lon="2"><name>not on the way</name></wpt>
          <rte><rtept lat="3" lon="4"/></rte>
          <trk><name>Walk &amp; rest</name><trkseg>
            <trkpt lat="48.2066" lon="16.3634">
              <ele>171.5</ele><time>2026-03-23T12:35:19Z</time>
              <extensions><speed>1</speed><ele>9999</ele></extensions>
            </trkpt>
            <trkpt lon='16.3634' lat=' 48.2076 '><time> 2026-03-23T14:36:59.5+02:00 </time></trkpt>
          </trkseg><trkseg>
            <trkpt lat="48.2086" lon="16.3634"><ele>181.5</ele><time>2026-03-23T12:38:39Z</time></trkpt>
          </trkseg></trk>
        </gpx>
        """

    private func parse(_ text: String) throws(InputError) -> GPXFile {
        try GPXFile(Array(text.utf8), name: "walk.gpx")
    }

    @Test func `a track becomes a trajectory at its times`() throws {
        let file = try parse(Self.walk)
        #expect(file.points.count == 3)
        #expect(file.points.map(\.line) == [7, 11, 13])
        #expect(file.points[0].elevation == 171.5)
        #expect(file.points[1].time?.description == "2026-03-23T12:36:59.500Z")
        let track = try file.track()
        #expect(track.duration == 200)
        let state = track.state(after: 100.5)
        #expect(abs(state.coordinate.latitude - 48.2076) < 1e-9)
        // It has no elevation: half-way between its two neighbours.
        #expect(abs(state.altitude - 176.525) < 1e-9)
        #expect(abs(try #require(track.state(after: 150).course)) < 1e-6)
    }

    @Test func `a file that begins with its newest track is driven in order of time`() throws {
        let tracks = [(49.0, 12), (48, 10)].map { latitude, hour in
            """
            <trk><trkseg>
            <trkpt lat="\(latitude)" lon="16"><time>2026-03-23T\(hour):00:00Z</time></trkpt>
            <trkpt lat="\(latitude + 0.1)" lon="16"><time>2026-03-23T\(hour):30:00Z</time></trkpt>
            </trkseg></trk>
            """
        }
        let track = try parse("<gpx>\(tracks.joined())</gpx>").track()
        #expect(track.duration == 9000)
        for (seconds, latitude) in [(0.0, 48.0), (1800, 48.1), (7200, 49), (9000, 49.1)] {
            let state = track.state(after: seconds)
            #expect(abs(state.coordinate.latitude - latitude) < 1e-6)
        }
    }

    @Test func `the duration of a track at a given speed is its length divided by the speed`()
        throws
    {
        let track = try parse(Self.walk).track(speed: 2)
        // 0.002° of latitude there are 222.4 m.
        #expect(abs(try #require(track.duration) - 111.2) < 0.05)
        #expect(abs(track.state(after: 50).speed - 2) < 1e-9)
    }

    @Test func `without a track the route is read, with any namespace prefix`() throws {
        let file = try parse(
            """
            <g:gpx xmlns:g="http://www.topografix.com/GPX/1/0"><g:rte>
            <g:rtept lat="-1" lon="2"/><g:rtept lat="-1.5" lon="2"/></g:rte></g:gpx>
            """)
        #expect(file.points.map(\.coordinate.latitude) == [-1, -1.5])
        let error = #expect(throws: InputError.self) { try file.track() }
        #expect(error?.reason == "its points have no times: give a speed")
        #expect(error?.line == 2)
    }

    @Test(arguments: [
        (
            "<gpx><trk><trkpt lat=\"95\" lon=\"1\"/></trk></gpx>",
            "the latitude is not a number from -90 to 90: \"95\"", 1 as Int?
        ),
        (
            "<gpx>\n<trk>\n<trkpt lat=\"nan\" lon=\"1\"/></trk></gpx>",
            "the latitude is not a number from -90 to 90: \"nan\"", 3
        ),
        ("<gpx>\n<trkpt lon=\"1\"/></gpx>", "the point has no latitude", 2),
        (
            "<gpx>\n<trkpt lat=\"1\" lon=\"1\"><ele>high</ele></trkpt></gpx>",
            "the elevation is not a number: \"high\"", 2
        ),
        (
            "<gpx>\n<trkpt lat=\"1\" lon=\"1\"><time>noon</time></trkpt></gpx>",
            "not a time: \"noon\"", 2
        ),
        (
            "<gpx>\n<trkpt lat=\"1\" lon=\"1\"><ele>\(String(repeating: "1", count: 300))</ele></trkpt></gpx>",
            "the elevation is not a number: \"1111", 2
        ),
        ("<gpx>\n<trk>\n</gpx>", "the XML is not well-formed", 3),
        ("<gpx><trk>", "the XML is not well-formed", 1),
        ("$GPGGA,", "the XML is not well-formed", 1),
        ("", "the XML is not well-formed", 1),
        ("<kml></kml>", "this is KML, not GPX", 1),
        ("<gpx></gpx>", "it contains neither a track nor a route", nil as Int?),
    ])
    func `an invalid file is an error with its line number`(
        _ text: String, _ reason: String, _ line: Int?
    ) {
        let error = #expect(throws: InputError.self) { try parse(text) }
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.description ?? "")")
        #expect(error?.line == line)
    }

    @Test func `an error has the file, line and column`() {
        let error = #expect(throws: InputError.self) {
            try parse("<gpx>\n<trkpt lat=\"95\" lon=\"1\"/></gpx>")
        }
        #expect(
            error?.description
                == "walk.gpx:2: the latitude is not a number from -90 to 90: \"95\"")
    }

    @Test func `a long file is read completely`() throws {
        let points = (0..<5000).map { index in
            "<trkpt lat=\"\(48 + Double(index) / 1e5)\" lon=\"16\"><ele>\(index)</ele></trkpt>\n"
        }
        let file = try parse("<gpx><trk><trkseg>\n\(points.joined())</trkseg></trk></gpx>\n")
        #expect(file.points.count == 5000)
        #expect(abs(try #require(file.track(speed: 10).duration) - 555.9) < 0.5)
    }

    @Test(arguments: [0, -1, .nan, .infinity])
    func `an invalid speed is rejected`(_ speed: Double) throws {
        let file = try parse(Self.walk)
        let error = #expect(throws: InputError.self) { try file.track(speed: speed) }
        #expect(error?.reason == "the speed must be above zero, not \(speed)")
    }
}

/// The waypoints of GPX files.
@Suite(.timeLimit(.generous))
struct GPXWaypointsTests {
    private func route(_ content: String) throws -> [RoutePoint] {
        let text = #"<?xml version="1.0"?><gpx version="1.1" creator="x">\#(content)</gpx>"#
        return try GPXWaypoints(Array(text.utf8), name: "way.gpx").route
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
        (
            #"<trk><trkseg><trkpt lat="2" lon="2"/></trkseg></trk>"#,
            "it contains neither a route nor a waypoint"
        ),
        ("<rte></rte>", "it contains neither a route nor a waypoint"),
        (
            #"<rte><rtept lat="91" lon="1"/></rte>"#,
            "the latitude is not a number from -90 to 90: \"91\""
        ),
        (#"<wpt lon="1"/>"#, "the point has no latitude"), ("<wpt", "the XML is not well-formed"),
    ])
    func `a file without either, or with a bad point, is refused`(
        _ content: String, _ reason: String
    ) {
        let error = #expect(throws: InputError.self) { try route(content) }
        #expect(error?.reason.hasPrefix(reason) == true)
    }
}
