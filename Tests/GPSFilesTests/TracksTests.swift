// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// Several tracks in one file stay separate, with their names.
@Suite(.timeLimit(.generous))
struct TracksTests {
    private static let points =
        #"<trkseg><trkpt lat="48" lon="16"/></trkseg><trkseg><trkpt lat="48.1" lon="16"/></trkseg>"#
    private static let twoTracks =
        "<gpx><trk><name>Day 1</name>\(points)</trk><trk><name>Day 2</name><desc>d</desc>"
        + "\(points)</trk></gpx>"

    /// Converts a file as `convert` does.
    private func converted(_ text: String, to format: any OutputFormat.Type) throws -> String {
        String(decoding: try bytes(text, to: format), as: UTF8.self)
    }

    private func bytes(_ text: String, to format: any OutputFormat.Type) throws -> [UInt8] {
        var conversion = Conversion(to: format)
        conversion.begin(OutputSource(name: "file.gpx", origin: .replay))
        var detector = InputDetector(file: "file.gpx")
        guard case .reader(var reader) = detector.push(Array(text.utf8)[...], isLast: true) else {
            Issue.record("the format is known")
            return []
        }
        func receive(_ event: InputEvent) {
            switch event {
            case .fix(let fix, _): conversion.add(fix)
            case .track(let name): conversion.beginTrack(name)
            case .segment: conversion.endSegment()
            default: break
            }
        }
        try reader.push(Array(text.utf8)[...], receive)
        try reader.finish(receive)
        conversion.end()
        var bytes: [UInt8] = []
        conversion.drain { bytes += Array($0) }
        return conversion.completed(bytes)
    }

    private func names(_ text: String) -> [String] {
        text.split(separator: "<name>").dropFirst().map { String($0.prefix { $0 != "<" }) }
    }

    @Test func `the tracks of GPX keep their names in GPX and KML`() throws {
        let gpx = try converted(Self.twoTracks, to: GPXFormat.self)
        #expect(names(gpx) == ["Day 1", "Day 2"])
        #expect(gpx.split(separator: "<trkseg>").count - 1 == 4)
        #expect(Reading(gpx).tracks == ["Day 1", "Day 2"])
        let kml = try converted(Self.twoTracks, to: KMLFormat.self)
        #expect(names(kml) == ["Day 1", "Day 1", "Day 2", "Day 2"])
        #expect(names(try converted(kml, to: GPXFormat.self)) == ["Day 1", "Day 2"])
        let lines = try converted(kml, to: GeoJSONLineFormat.self)
        #expect(Reading(lines).entries.map(\.segment) == [1, 2, 3, 4])
    }

    @Test func `tracks without names stay separate, and have the name of the file`() throws {
        let text = "<gpx><trk>\(Self.points)</trk><trk>\(Self.points)</trk></gpx>"
        #expect(names(try converted(text, to: GPXFormat.self)) == ["file.gpx", "file.gpx"])
    }

    @Test func `the word for simulated data is not part of a name`() throws {
        let text =
            "<gpx><trk><name>SIMULATED walk</name><desc>origin: simulated</desc>\(Self.points)"
            + "</trk></gpx>"
        #expect(names(try converted(text, to: GPXFormat.self)) == ["SIMULATED walk"])
    }

    @Test(arguments: ["gpx", "kml", "tcx", "fit", "geojson-lines"], [false, true])
    func `a file that is read again has its tracks with their names`(
        _ format: String, _ isSimulated: Bool
    ) throws {
        func track(_ name: String, _ seconds: Int...) -> String {
            let points = seconds.map {
                #"<trkpt lat="48.0\#($0)" lon="16"><time>2026-03-21T12:00:\#($0)Z</time></trkpt>"#
            }
            let origin = isSimulated ? "<desc>origin: simulated</desc>" : ""
            return "<trk><name>\(name)</name>\(origin)<trkseg>\(points.joined())</trkseg></trk>"
        }
        // The second track is earlier, and the third has a single position.
        let text =
            "<gpx>" + track("A &amp; B", 30, 31) + track("Tour", 10, 11) + track("Hut", 50)
            + "</gpx>"
        let bytes = try bytes(text, to: try #require(OutputFormats.named(format)))
        let reading = Reading(bytes)
        #expect(reading.tracks.compactMap(\.self) == ["A & B", "Tour", "Hut"])
        #expect(reading.entries.map(\.segment) == [1, 1, 2, 2, 3])
        #expect(reading.fixes.allSatisfy { ($0.quality == .simulated) == isSimulated })
        #expect(reading.warning == nil)
        for piece in [1, 7] { #expect(Reading(bytes, piece: piece).tracks == reading.tracks) }
    }

    @Test func `a point of another program's GeoJSON does not name a track`() {
        let text =
            #"{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","#
            + #""coordinates":[16,48]}}"#
        #expect(Reading(text).tracks.isEmpty)
    }

    @Test func `the name of a waypoint or of an extension is not that of a track`() {
        let text =
            #"<gpx><wpt lat="1" lon="2"><name>W</name></wpt><trk><extensions><name>E</name>"#
            + "</extensions>\(Self.points)</trk></gpx>"
        #expect(Reading(text).tracks == [nil])
    }

    @Test func `the points of routes are tracks with the names of the routes`() {
        let text =
            #"<gpx><rte><name>A</name><rtept lat="48" lon="16"><name>x</name></rtept></rte>"#
            + #"<rte><name>B</name><rtept lat="49" lon="16"/></rte></gpx>"#
        let reading = Reading(text)
        #expect(reading.tracks == ["A", "B"])
        #expect(reading.entries.map(\.segment) == [1, 2])
    }

    @Test func `the activities of TCX are tracks, and a course has its name`() {
        let point =
            "<Track><Trackpoint><Position><LatitudeDegrees>48</LatitudeDegrees>"
            + "<LongitudeDegrees>16</LongitudeDegrees></Position></Trackpoint></Track>"
        let text =
            "<TrainingCenterDatabase><Activity><Lap>\(point)</Lap></Activity><Course><Name>C</Name>"
            + "\(point)<Creator><Name>watch</Name></Creator></Course></TrainingCenterDatabase>"
        #expect(Reading(text).tracks == [nil, nil, "C"])
    }

    @Test(arguments: ["track", "track_id", "Track name"])
    func `a column with the track separates tracks`(column: String) {
        let reading = Reading("lat,lon,\(column)\n48,11,A\n48.1,11,A\n48.2,11,B\n")
        #expect(reading.tracks == ["A", "B"])
        #expect(reading.entries.map(\.segment) == [1, 1, 2])
        #expect(reading.warning == nil)
        #expect(reading.leftOut == LeftOut())
    }

    @Test func `beside a course, the column track is the number of the track`() {
        let reading = Reading("lat,lon,track,course\n48,11,1,90\n48.1,11,2,91\n")
        #expect(reading.tracks == ["1", "2"])
        #expect(reading.fixes.map(\.course) == [90, 91])
        let course = Reading("lat,lon,track\n48,11,90\n48.1,11,91\n")
        #expect(course.tracks.isEmpty)
        #expect(course.fixes.map(\.course) == [90, 91])
    }

    @Test func `numbers in the column track that count are those of tracks`() {
        let tracks = Reading("lat,lon,track\n48,11,1\n48.1,11,1\n48.2,11,2\n48.3,11,2\n")
        #expect(tracks.tracks == ["1", "2"])
        #expect(tracks.fixes.map(\.course) == [nil, nil, nil, nil])
        #expect(tracks.entries.map(\.segment) == [1, 1, 2, 2])
        let fromZero = Reading("lat,lon,track\n48,11,0\n48.1,11,0\n48.2,11,1\n")
        #expect(fromZero.tracks == ["0", "1"])
    }

    @Test(arguments: [
        "0,0,0", "1,2,3", "1,1,3", "1,1,0", "90,90,90", "1.0,1.0,1.0", "2,2,2", "1,1,90.5",
        "1", "0,0,,0",
    ])
    func `other numbers in the column track are courses`(courses: String) {
        let values = courses.split(separator: ",", omittingEmptySubsequences: false)
        let rows = values.map { "48,11,\($0)\n" }.joined()
        let reading = Reading("lat,lon,track\n" + rows)
        #expect(reading.tracks.isEmpty)
        #expect(reading.fixes.map(\.course) == values.map { Double($0) })
    }

    @Test func `a course after a thousand rows without one is a course`() {
        let rows = Array(repeating: "48,11,0\n", count: 1500) + ["48,11,90\n"]
        let reading = Reading("lat,lon,track\n" + rows.joined())
        #expect(reading.fixes.last?.course == 90 && reading.fixes.first?.course == 0)
        #expect(reading.fixes.count == 1501)
    }

    @Test func `the lines of KML are tracks with the names of their placemarks`() throws {
        func line(_ name: String, _ east: Int) -> String {
            "<Placemark>\(name)<LineString><coordinates>\(east),48 \(east),48.1</coordinates>"
                + "</LineString></Placemark>"
        }
        let text =
            "<kml><Document><name>Trip</name>"
            + line("<name>A</name>", 11) + line("<name>A</name>", 12) + line("<name>B</name>", 13)
            + line("", 14)
            + "<Placemark><Point><coordinates>15,48</coordinates></Point></Placemark>"
            + "</Document></kml>"
        let reading = Reading(text)
        #expect(reading.tracks == ["A", "B", nil])
        #expect(reading.entries.map(\.segment) == [1, 1, 2, 2, 3, 3, 4, 4, 5])
        let gpx = try converted(text, to: GPXFormat.self)
        #expect(names(gpx) == ["A", "B", "file.gpx"])
    }

    @Test func `the tracks and waypoints of GPS Visualizer are read`() {
        let text = """
            type,time,latitude,longitude,name,desc
            T,2024-06-01T10:00:00Z,48.1,11.5,Trip,
            T,2024-06-01T10:00:10Z,48.2,11.5,,

            type,time,latitude,longitude,name,desc
            T,2024-06-01T11:00:00Z,48.3,11.5,Trip 2,

            type,latitude,longitude,name,desc
            W,48.5,11.5,Hut,nice

            """
        let reading = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(reading.tracks == ["Trip", "Trip 2"])
        #expect(reading.entries.map(\.segment) == [1, 1, 2])
        #expect(reading.waypoints.map(\.name) == ["Hut"])
        #expect(reading.waypoints.map(\.description) == ["nice"])
        #expect(reading.error == nil && reading.warning == nil)
        #expect(reading.leftOut == LeftOut())
        #expect(Reading(text).waypoints.isEmpty)
    }

    @Test func `a column with the type of a movement is not read, and named`() {
        let reading = Reading("lat,lon,type\n48,11,walking\n")
        #expect(reading.fixes.count == 1)
        #expect(reading.warning == "has columns that are not read: type")
    }
}
