// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// Extensions of GPX, in which programs may use any name for any content.
@Suite(.timeLimit(.generous))
struct GPXExtensionTests {
    @Test func `an extension with another content is ignored, and an element of GPX is counted`() {
        func read(_ content: String) -> Reading {
            Reading(
                #"<gpx><trk><trkseg><trkpt lat="48" lon="16">\#(content)</trkpt>"#
                    + #"<trkpt lat="49" lon="16"/></trkseg></trk></gpx>"#)
        }
        let other = "<speed>36 km/h</speed><course>north</course><time>noon</time><sat>many</sat>"
        let reading = read(
            "<time>2026-03-21T12:00:00Z</time><extensions>\(other)</extensions><hdop>1.5</hdop>")
        #expect(reading.error == nil)
        #expect(reading.fixes.count == 2)
        #expect(reading.fixes.first?.time?.description == "2026-03-21T12:00:00.000Z")
        #expect(reading.fixes.first?.dilution.hdop == 1.5)
        #expect(reading.fixes.first?.speed == nil)
        #expect(read("<extensions><a><speed>10</speed></a></extensions>").fixes.first?.speed == 10)
        let wrong = read("<extensions/><hdop>low</hdop>")
        #expect(wrong.fixes.map(\.dilution.hdop) == [nil, nil])
        #expect(
            wrong.leftOut.warning
                == #"has 1 HDOP in an unknown form (line 1: "low"), which is left out"#)
    }

    @Test func `a speed or course that is not a number is ignored, and later points are read`() {
        let reading = Reading(
            #"<gpx><trk><trkseg><trkpt lat="48" lon="16"><course>north</course>"#
                + "<speed>36 km/h</speed><hdop>1.5</hdop></trkpt>"
                + #"<trkpt lat="49" lon="16"><course>90</course><speed>5</speed></trkpt>"#
                + "</trkseg></trk></gpx>")
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.course) == [nil, 90])
        #expect(reading.fixes.map(\.speed) == [nil, 5])
        #expect(reading.fixes.first?.dilution.hdop == 1.5)
    }

    @Test func `an extension does not replace the time of a waypoint`() {
        let text =
            #"<gpx><wpt lat="48" lon="16"><time>2026-03-21T12:00:00Z</time><name>A</name>"#
            + "<extensions><time>2020-01-01T00:00:00Z</time><ele>low</ele></extensions></wpt></gpx>"
        let reading = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(reading.error == nil)
        #expect(reading.waypoints.map(\.name) == ["A"])
        #expect(reading.waypoints.first?.time?.description == "2026-03-21T12:00:00.000Z")
    }

    @Test func `an extension does not replace values of a track point, and has no type of fix`() {
        let own =
            "<magvar>1</magvar><geoidheight>2</geoidheight><fix>3d</fix><sat>9</sat>"
            + "<hdop>0.5</hdop><vdop>1.5</vdop><pdop>2.5</pdop><ageofdgpsdata>4</ageofdgpsdata>"
            + "<dgpsid>7</dgpsid><speed>5</speed><course>90</course>"
        let other =
            "<x:magvar>6</x:magvar><x:geoidheight>6</x:geoidheight><x:fix>none</x:fix>"
            + "<x:sat>6</x:sat><x:hdop>6</x:hdop><x:vdop>6</x:vdop><x:pdop>6</x:pdop>"
            + "<x:ageofdgpsdata>6</x:ageofdgpsdata><x:dgpsid>6</x:dgpsid><x:speed>18</x:speed>"
            + "<x:course>6</x:course>"
        let reading = Reading(
            #"<gpx xmlns:x="x"><trk><trkseg><trkpt lat="48" lon="16">\#(own)"#
                + "<extensions>\(other)</extensions></trkpt></trkseg></trk></gpx>")
        #expect(reading.error == nil)
        let fix = reading.fixes.first
        #expect(fix?.mode == .threeD)
        #expect(fix?.magneticVariation == 1)
        #expect(fix?.geoidSeparation == 2)
        #expect(fix?.satellitesUsed == 9)
        #expect(fix?.dilution.hdop == 0.5)
        #expect(fix?.dilution.vdop == 1.5)
        #expect(fix?.dilution.pdop == 2.5)
        #expect(fix?.correctionAge == 4)
        #expect(fix?.correctionStation == 7)
        #expect(fix?.speed == 5)
        #expect(fix?.course == 90)
    }

    @Test func `an extension does not replace the description and the symbol of a waypoint`() {
        func read(_ content: String) -> Waypoint? {
            let text =
                #"<gpx xmlns:x="x"><wpt lat="48" lon="16">\#(content)<extensions>"#
                + "<x:desc>other</x:desc><x:sym>Other</x:sym></extensions></wpt></gpx>"
            return Reading(Array(text.utf8), keepsWaypoints: true).waypoints.first
        }
        let own = read("<cmt>comment</cmt><desc>own</desc><sym>Flag</sym>")
        #expect(own?.description == "own")
        #expect(own?.symbol == "Flag")
        #expect(read("<cmt>comment</cmt>")?.description == "comment")
        #expect(read("")?.description == "other")
    }

    // gpsd's gpxlogger and GoPro's exports write such points.
    @Test func `a track point without a fix ends the segment, and a route point has a position`() {
        func points(_ name: String) -> String {
            ["3d", "none", "2d"].enumerated().map {
                #"<\#(name) lat="4\#($0)" lon="16"><fix>\#($1)</fix></\#(name)>"#
            }.joined()
        }
        let track = Reading("<gpx><trk><trkseg>\(points("trkpt"))</trkseg></trk></gpx>")
        #expect(track.fixes.compactMap(\.coordinate?.latitude) == [40, 42])
        #expect(track.fixes.map(\.mode) == [.threeD, .twoD])
        #expect(track.entries.map(\.segment) == [1, 2])
        #expect(Reading("<gpx><rte>\(points("rtept"))</rte></gpx>").fixes.count == 3)
    }

    @Test func `a track point without a position ends the segment`() {
        for point in ["", #"lat="nan" lon="NaN""#, "lat='' lon=''"] {
            let reading = Reading(
                #"<gpx><trk><trkseg><trkpt lat="48" lon="16"/><trkpt \#(point)><ele>1</ele></trkpt>"#
                    + #"<trkpt lat="49" lon="16"/></trkseg></trk></gpx>"#)
            #expect(reading.error == nil)
            #expect(reading.fixes.compactMap(\.coordinate?.latitude) == [48, 49])
            #expect(reading.entries.map(\.segment) == [1, 2])
        }
        let route = Reading("<gpx><rte><rtept/></rte></gpx>")
        #expect(route.error == nil && route.leftOut.positions == 1)
    }

    @Test(arguments: [
        ("2026-12-31T24:00:00Z", "2027-01-01T00:00:00.000Z"),
        ("2026/03/21 24:00:00.000", "2026-03-22T00:00:00.000Z"),
        ("2026-03-21T24:00:00+02:00", "2026-03-21T22:00:00.000Z"),
        ("9999-12-31T24:00:00Z", nil), ("2026-03-21T24:00:01Z", nil),
        ("2026-03-21T24:01:00Z", nil),
    ])
    func `the time 24 hours is the start of the next day`(_ time: String, _ expected: String?) {
        let gpx = Reading(
            #"<gpx><trk><trkseg><trkpt lat="48" lon="16"><time>\#(time)</time></trkpt>"#
                + "</trkseg></trk></gpx>")
        let csv = Reading("lat,lon,time\n48,16,\(time)\n")
        for reading in [gpx, csv] {
            #expect(reading.error == nil)
            #expect(reading.fixes.map { $0.time?.description } == [expected])
        }
    }

    // OsmAnd and gpx.studio have written such times.
    @Test(arguments: ["0000-03-13T09:11:26Z", "2025-02-00T09:11:26Z", "2026-03-21 25:00:00"])
    func `an impossible time is unknown`(_ time: String) {
        let gpx = Reading(
            #"<gpx><trk><trkseg><trkpt lat="48" lon="16"><time>\#(time)</time></trkpt>"#
                + #"<trkpt lat="49" lon="16"/></trkseg></trk></gpx>"#)
        let csv = Reading("lat,lon,time\n48,16,\(time)\n49,16,\n")
        for reading in [gpx, csv] {
            #expect(reading.error == nil)
            #expect(reading.fixes.count == 2 && reading.fixes.allSatisfy { $0.time == nil })
        }
        #expect(Reading("lat,lon,time\n48,16,2026-03-21T12:00:00+x\n").error != nil)
    }
}
