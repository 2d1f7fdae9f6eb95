// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// One odd value does not cost the rest of a file.
@Suite(.timeLimit(.generous))
struct LeftOutTests {
    private static func gpx(_ points: String...) -> String {
        "<gpx><trk><trkseg>\n\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
    }

    private static func point(_ latitude: String, _ longitude: String, _ content: String = "")
        -> String
    {
        #"<trkpt lat="\#(latitude)" lon="\#(longitude)">\#(content)</trkpt>"#
    }

    private static func geoJSON(_ positions: String) -> String {
        #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":"#
            + "[\(positions)]}}"
    }

    private static func tcx(_ latitude: String, _ altitude: String) -> String {
        "<Trackpoint><Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
            + "<LongitudeDegrees>16</LongitudeDegrees></Position>"
            + "<AltitudeMeters>\(altitude)</AltitudeMeters></Trackpoint>"
    }

    /// A text, the latitudes that are read from it, the number of positions that are left out, and a
    /// part of the warning.
    @Test(arguments: [
        (
            gpx(
                point("48", "16", "<time>27.03.2022 13:32</time>"),
                point("49", "16", "<time>2022-03-27T15:32:37+02:00[Europe/Brussels]</time>")),
            [48, 49], 0, #"2 times in an unknown form (the first in line 2: "27.03.2022 13:32")"#
        ),
        (
            gpx(point("48", "16", "<ele>411,2</ele>"), point("49", "16")), [48, 49], 0,
            #"1 elevation in an unknown form (line 2: "411,2")"#
        ),
        (
            gpx(point("48", "16"), point("49", "-180.096"), point("50", "16")), [48, 50], 1,
            #"1 point with an impossible position (line 3: "-180.096")"#
        ),
        (
            gpx(point("48", "16"), point("undefined", "undefined"), point("50", "16")), [48, 50],
            1, #"(line 3: "undefined")"#
        ),
        (
            "<kml><LineString><coordinates>16,48 16,x 16,49\n16,95 16,50</coordinates>"
                + "</LineString></kml>", [48, 49, 50], 2, #"(the first in line 1: "16,x")"#
        ),
        (
            "<kml xmlns:gx=\"a\"><gx:Track><when>noon</when><when>2026-03-21T12:00:00Z</when>"
                + "<gx:coord>16 x</gx:coord><gx:coord>16 49</gx:coord></gx:Track></kml>", [49], 1,
            #"1 time in an unknown form (line 1: "noon")"#
        ),
        (
            "<TrainingCenterDatabase><Activity><Lap><Track>\(tcx("48", "1,5"))\(tcx("95", "1"))"
                + "\(tcx("49,5", "1"))\(tcx("50", "1"))</Track></Lap></Activity>"
                + "</TrainingCenterDatabase>", [48, 50], 2, "1 altitude in an unknown form"
        ),
        (
            geoJSON(#"[16,48],[180.1,48.5],["16","49"],[16,50]"#), [48, 50], 2,
            #"2 points with an impossible position (the first in position 2: "180.1, 48.5")"#
        ),
        (
            "AXXX000\nHFDTE210326\nI023639LAD4038LOD\nB1200004800000N01600000EA0000000171\n",
            [48], 0, #"1 list of extensions in an unknown form (line 3: "I023639LAD4038LOD")"#
        ),
    ])
    func `the rest is read`(
        _ text: String, _ latitudes: [Double], _ count: Int, _ warning: String
    ) {
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.latitude) == latitudes)
        #expect(Set(reading.entries.map(\.segment)) == [1])
        #expect(reading.leftOut.positions == count)
        #expect(reading.leftOut.warning?.contains(warning) == true, "\(reading.leftOut)")
        for piece in [1, 7] { #expect(Reading(Array(text.utf8), piece: piece) == reading) }
    }

    @Test func `a point at latitude 100 or 200 is a pause`() {
        let reading = Reading(
            Self.gpx(
                Self.point("48", "16"), Self.point("100", "16"), Self.point("200", "16"),
                Self.point("49", "16")))
        #expect(reading.entries.map(\.segment) == [1, 2])
        #expect(reading.leftOut.positions == 2)
    }

    @Test func `the name of a point that is left out is not that of its route`() {
        let text =
            #"<gpx><rte><rtept lat="95" lon="16"><name>A</name></rtept>"#
            + #"<rtept lat="48" lon="16"><name>B</name></rtept></rte></gpx>"#
        let reading = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(reading.routes.map(\.name) == [nil])
        #expect(reading.routes.map { $0.points.map(\.name) } == [["B"]])
    }

    @Test func `a position that is left out has no name in a route of GeoJSON`() {
        let text =
            #"{"type":"Feature","properties":{"kind":"route","points":["A","B","C"]},"#
            + #""geometry":{"type":"LineString","coordinates":[[16,48],[16,95],[16,49]]}}"#
        let reading = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(reading.routes.map { $0.points.map(\.name) } == [["A", "C"]])
    }

    @Test(arguments: [
        "I 02 3638FXA 3940SIU", "I00", "I", "I013638FXA", "I13638FXA",
        "L" + String(repeating: "X", count: 5000),
    ])
    func `the columns 1 to 35 of a B record need no I record`(_ line: String) {
        let record = "B1200004800000N01600000EA0000000171"
        let reading = Reading("AXXX000\nHFDTE210326\n\(line)\n\(record)\n\(record)00312\n")
        #expect(reading.error == nil && reading.leftOut.warning == nil)
        #expect(reading.fixes.map(\.coordinate?.latitude) == [48, 48])
    }

    @Test(arguments: [("4859999", 48.9999833), ("4860000", 49), ("4860001", nil)])
    func `the minute 60 in IGC is the next degree, and more is an error`(
        _ latitude: String, _ degrees: Double?
    ) {
        let reading = Reading("AXXX000\nHFDTE210326\nB120000\(latitude)N01660000EA0000000171\n")
        let read = reading.fixes.first?.coordinate
        #expect(
            (read?.latitude).map { ($0 * 1e7).rounded() } == degrees.map { ($0 * 1e7).rounded() })
        #expect(read?.longitude == (degrees == nil ? nil : 17))
        #expect(reading.leftOut.positions == (degrees == nil ? 1 : 0))
    }

    @Test(arguments: [
        ("110559", "11:05:59.500"), ("110560", "11:06:00.000"), ("115960", "12:00:00.000"),
        ("235960", "23:59:60.500"), ("110561", nil), ("116000", nil),
    ])
    func `the second 60 in IGC is the next minute, except in a leap second, and more is an error`(
        _ time: String, _ read: String?
    ) {
        let reading = Reading(
            "AXXX000\nHFDTE311216\nI013636TDS\nB\(time)4800000N01600000EA00000001715\n")
        #expect(
            reading.fixes.map { $0.time?.description }
                == (read.map { ["2016-12-31T\($0)Z"] } ?? []))
        #expect(reading.leftOut.positions == (read == nil ? 1 : 0))
    }

    @Test func `values of sports are named in one message`() throws {
        let text =
            #"<TrainingCenterDatabase><Activity Sport="Biking"><Lap><Calories>312</Calories>"#
            + "<Track><Trackpoint><Position><LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>16"
            + "</LongitudeDegrees></Position><HeartRateBpm><Value>130</Value></HeartRateBpm>"
            + "<Cadence>80</Cadence><Extensions><TPX><Watts>210</Watts></TPX></Extensions>"
            + "</Trackpoint></Track></Lap></Activity></TrainingCenterDatabase>"
        let gpx = Self.gpx(
            Self.point(
                "48", "16", "<extensions><hr>130</hr><atemp>20</atemp><cad>80</cad></extensions>"))
        for (text, names) in [
            (text, "sport, calories, heart rate, cadence, power"),
            (gpx, "heart rate, temperature, cadence"),
        ] {
            var detector = InputDetector(file: "file")
            guard case .reader(var reader) = detector.push(Array(text.utf8)[...], isLast: true)
            else {
                Issue.record("the format is known")
                continue
            }
            try reader.push(Array(text.utf8)[...]) { _ in }
            #expect(reader.warning == "has values that are not read: \(names)")
        }
    }

    /// A text, the number of its positions, and the parts that are left out.
    @Test(arguments: [
        (
            gpx(point("48", "16", "<time>0000-00-00T00:00:00Z</time>"), point("49", "16")), 2,
            [#"1 time outside the calendar (line 2: "0000-00-00T00:00:00Z")"#]
        ),
        (
            gpx(
                point(
                    "48", "16", "<extensions><speed>5 km/h</speed><hdop>bad</hdop></extensions>")),
            1,
            [
                #"1 speed in an unknown form (line 2: "5 km/h")"#,
                #"1 HDOP in an unknown form (line 2: "bad")"#,
            ]
        ),
        (
            #"{"class":"TPV","mode":3,"time":"noon","lat":48,"lon":11,"speed":"fast"}"# + "\n"
                + #"{"class":"TPV","mode":3,"time":"2026-03-21T12:00:00Z","lat":95,"lon":11}"#,
            1,
            [
                #"1 time in an unknown form (object 1: "noon")"#,
                #"1 value of "speed" in an unknown form (object 1: "fast")"#,
                #"1 point with an impossible position (object 2: "95.0, 11.0")"#,
            ]
        ),
        (
            "<kml xmlns:gx=\"a\"><Placemark><TimeStamp><when>2024-06-01</when></TimeStamp><Point>"
                + "<coordinates>16,48</coordinates></Point></Placemark><Placemark><gx:Track><when>"
                + "2024-06</when><when>2024/06/01</when><gx:coord>16 49</gx:coord><gx:coord>16 50"
                + "</gx:coord></gx:Track></Placemark><Placemark><TimeSpan><begin>2024</begin>"
                + "</TimeSpan><Point><coordinates>16,51</coordinates></Point></Placemark></kml>", 4,
            [
                #"3 dates without a time of day (the first in line 1: "2024-06-01")"#,
                #"1 time in an unknown form (line 1: "2024/06/01")"#,
            ]
        ),
        (
            geoJSON("[16,48],[1e400,48.5],[16,49,1e400]"), 2,
            [
                #"1 point with an impossible position (position 2: "inf, 48.5")"#,
                "1 altitude in an unknown form (position 3)",
            ]
        ),
        (
            "AXXX000\nHFDTE320126\nB1200004800000N01600000EA0000000171\n", 1,
            [#"1 date outside the calendar (line 2: "HFDTE320126")"#]
        ),
        (
            "<?xml version=\"1.0\"?>\n\n"
                + gpx("<desc>a\u{1}b</desc>\0", point("48", "16", "<desc>\u{B}</desc>")), 1,
            ["3 control characters that XML does not allow (the first in line 4)"]
        ),
    ])
    func `what is left out is counted`(_ text: String, _ count: Int, _ descriptions: [String]) {
        for piece in [1, 7, 65_536] {
            let reading = Reading(Array(text.utf8), piece: piece)
            #expect(reading.error == nil)
            #expect(reading.fixes.count { $0.coordinate != nil } == count)
            #expect(reading.leftOut.descriptions == descriptions)
        }
    }

    @Test func `an IGC date outside the calendar is not replaced`() {
        let reading = Reading("AXXX000\nHFDTE320126\nB1200004800000N01600000EA0000000171\n")
        #expect(reading.fixes.map(\.time) == [nil])
        #expect(reading.fixes.map(\.timeOfDay) != [nil])
    }

    @Test func `a speed with a unit does not refuse a file whose odd values are errors`() throws {
        let text = Self.gpx(
            Self.point("48", "16", "<time>0000-00-00T00:00:00Z</time><speed>5 km/h</speed>"))
        #expect(try GPXFile(Array(text.utf8), name: "a.gpx").points.count == 1)
    }

    @Test(arguments: ["-9999", "-32768", "-9999.0", "nan"])
    func `an altitude that means no data is absent`(_ altitude: String) {
        for text in [
            Self.gpx(Self.point("48", "16", "<ele>\(altitude)</ele>")),
            "lat,lon,altitude\n48,16,\(altitude)\n",
            Self.geoJSON("[16,48,\(altitude == "nan" ? "null" : altitude)]"),
        ] {
            let fix = Reading(text).fixes.first
            #expect(fix?.coordinate != nil && fix?.mode == .twoD, "\(text)")
            #expect(fix?.altitude == nil && fix?.ellipsoidalAltitude == nil)
        }
    }

    @Test func `altitudes without an altitude mode are named in a message`() {
        func kml(_ mode: String, _ altitude: Int) -> Reading {
            Reading(
                "<kml><Placemark><LineString>\(mode)<coordinates>11,48,\(altitude) 11,49,0"
                    + "</coordinates></LineString></Placemark></kml>")
        }
        let reading = kml("", 500)
        #expect(reading.fixes.map(\.altitude) == [nil, nil])
        #expect(reading.warning?.contains("altitudes without an altitudeMode") == true)
        #expect(kml("", 0).warning == nil)
        #expect(kml("<altitudeMode>clampToGround</altitudeMode>", 500).warning == nil)
        #expect(kml("<altitudeMode>absolute</altitudeMode>", 500).warning == nil)
        let point = Reading(
            "<kml><Placemark><Point><coordinates>11,48,500</coordinates></Point></Placemark></kml>")
        #expect(point.warning?.contains("altitudes without an altitudeMode") == true)
    }

    @Test func `the lists of a KML track are named`() {
        let reading = Reading(
            "<kml xmlns:gx=\"a\"><gx:Track><gx:coord>16 48 0</gx:coord><ExtendedData><SchemaData>"
                + "<gx:SimpleArrayData name=\"heartrate\"><gx:value>x</gx:value>"
                + "</gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></kml>")
        #expect(reading.warning == "has values that are not read: heartrate")
    }

    @Test func `Unix times in GeoJSON are read`() {
        let line = Reading(
            #"{"type":"Feature","properties":{"coordTimes":[1774094400,1774094401500]},"#
                + #""geometry":{"type":"LineString","coordinates":[[16,48],[16,49]]}}"#)
        #expect(
            line.fixes.map(\.time) == [
                UTCTime(iso8601: "2026-03-21T12:00:00Z"),
                UTCTime(iso8601: "2026-03-21T12:00:01.5Z"),
            ])
        for time in ["1774094400.25", "1774094400250", #""1774094400250""#] {
            let point = Reading(
                #"{"type":"Feature","properties":{"time":\#(time)},"geometry":{"type":"Point","#
                    + #""coordinates":[16,48]}}"#)
            #expect(point.fixes.map(\.time) == [UTCTime(iso8601: "2026-03-21T12:00:00.25Z")])
        }
    }
}

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
