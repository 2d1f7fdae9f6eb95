// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// KML of other programs, and what KML keeps of positions without a date.
@Suite(.timeLimit(.generous))
struct KMLTests {
    /// Returns the contents of a file with a `gx:MultiTrack` of two tracks.
    private func multiTrack(_ head: String, _ trackHead: String = "") -> Reading {
        let tracks = [0, 1].map { index in
            "<gx:Track>\(trackHead)<when>2026-03-21T12:00:0\(index)Z</when>"
                + "<gx:coord>16.\(index) 48.5 17\(index)</gx:coord></gx:Track>"
        }
        return Reading(
            "<kml xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Placemark><gx:MultiTrack>"
                + head + tracks.joined() + "</gx:MultiTrack></Placemark></kml>")
    }

    // OpenTracks and its predecessor My Tracks write it there.
    @Test func `the altitude mode of a MultiTrack is that of its tracks`() {
        let absolute = "<altitudeMode>absolute</altitudeMode>"
        #expect(multiTrack(absolute).fixes.map(\.altitude) == [170, 171])
        #expect(multiTrack("").fixes.map(\.altitude) == [nil, nil])
        #expect(multiTrack("", absolute).fixes.map(\.altitude) == [170, 171])
        let clamped = "<altitudeMode>clampToGround</altitudeMode>"
        #expect(multiTrack(absolute, clamped).fixes.map(\.altitude) == [nil, nil])
        #expect(multiTrack(clamped, absolute).fixes.map(\.altitude) == [170, 171])
    }

    // simplekml writes it there.
    @Test func `the altitude mode may follow the positions of a track, a line and a point`() {
        func read(_ mode: String) -> Reading {
            let end = mode.isEmpty ? "" : "<altitudeMode>\(mode)</altitudeMode>"
            return Reading(
                "<kml xmlns:gx=\"a\"><Placemark><gx:Track><when>2026-03-21T12:00:00Z</when>"
                    + "<when>2026-03-21T12:00:01Z</when><gx:coord>16 48 170</gx:coord>"
                    + "<gx:coord>17 48 171</gx:coord>\(end)</gx:Track></Placemark>"
                    + "<Placemark><gx:Track><gx:coord>18 48 172</gx:coord>"
                    + "<gx:coord>19 48 173</gx:coord>\(end)</gx:Track></Placemark>"
                    + "<Placemark><LineString><coordinates>20,48,174 21,48,x</coordinates>\(end)"
                    + "</LineString></Placemark><Placemark><MultiGeometry><Point><coordinates>"
                    + "22,48,176</coordinates>\(end)</Point><Point><coordinates>23,48,177"
                    + "</coordinates></Point></MultiGeometry></Placemark></kml>")
        }
        let absolute = read("absolute")
        #expect(absolute.error == nil)
        let altitudes: [Double?] = [170, 171, 172, 173, 174, nil, 176, nil]
        let modes: [FixMode] = altitudes.map { $0 == nil ? .twoD : .threeD }
        #expect(absolute.fixes.map(\.altitude) == altitudes)
        #expect(absolute.fixes.map(\.mode) == modes)
        for mode in ["", "clampToGround"] {
            let reading = read(mode)
            #expect(reading.error == nil)
            #expect(reading.fixes.map(\.coordinate) == absolute.fixes.map(\.coordinate))
            #expect(reading.fixes.map(\.time) == absolute.fixes.map(\.time))
            #expect(reading.entries.map(\.segment) == absolute.entries.map(\.segment))
            #expect(reading.fixes.allSatisfy { $0.altitude == nil && $0.mode == .twoD })
        }
    }

    @Test func `the altitude mode of a model is not that of the positions before it`() {
        let reading = Reading(
            "<kml xmlns:gx=\"a\"><Placemark><gx:Track><gx:coord>16 48 170</gx:coord><Model>"
                + "<altitudeMode>absolute</altitudeMode></Model></gx:Track></Placemark></kml>")
        #expect(reading.fixes.map(\.coordinate?.longitude) == [16])
        #expect(reading.fixes.map(\.altitude) == [nil])
    }

    @Test(arguments: [100_000, 100_001])
    func `altitudes of a line with too many positions before its mode are lost, and reported`(
        _ count: Int
    ) throws {
        let text =
            "<kml><Placemark><LineString><coordinates>"
            + String(repeating: "16,48,170 ", count: count)
            + "</coordinates><altitudeMode>absolute</altitudeMode></LineString></Placemark></kml>"
        var detector = InputDetector(file: "file", keepsWaypoints: false)
        let bytes = Array(text.utf8)
        guard case .reader(var reader) = detector.push(bytes[...], isLast: true) else {
            Issue.record("this is KML")
            return
        }
        var altitudeCounts = [0, 0]
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event { altitudeCounts[fix.altitude == nil ? 0 : 1] += 1 }
        }
        try reader.push(bytes[...], receive)
        try reader.finish(receive)
        let isLost = count > 100_000
        #expect(altitudeCounts == (isLost ? [count, 0] : [0, count]))
        let warning =
            "has an altitudeMode after more than 100,000 positions, whose altitudes are not read"
        #expect(reader.warning == (isLost ? warning : nil))
    }

    @Test func `the tracks of a MultiTrack are one segment if it interpolates between them`() {
        let (yes, no) = ("<gx:interpolate>1</gx:interpolate>", "<gx:interpolate>0</gx:interpolate>")
        #expect(multiTrack(yes).entries.map(\.segment) == [1, 1])
        #expect(multiTrack(no).entries.map(\.segment) == [1, 2])
        #expect(multiTrack("").entries.map(\.segment) == [1, 2])
    }

    @Test func `positions without a date keep their altitudes`() {
        var reading = Reading([])
        for (index, altitude) in [170, 171.5, nil, nil, 172, 173].enumerated() {
            var fix = Fix()
            fix.coordinate = Coordinate(latitude: 48, longitude: 16 + Double(index) / 8)
            fix.altitude = altitude
            fix.complete(mode: nil, quality: nil)
            reading.entries.append(Reading.Entry(fix: fix, segment: 1))
        }
        let text = String(decoding: reading.written(as: KMLFormat.self), as: UTF8.self)
        #expect(text.split(separator: "<LineString><altitudeMode>absolute</").count == 3)
        let read = Reading(text)
        #expect(read.fixes.map(\.altitude) == [170, 171.5, nil, nil, 172, 173])
        #expect(read.fixes.map(\.coordinate) == reading.fixes.map(\.coordinate))
        #expect(read.entries.map(\.segment) == [1, 1, 2, 2, 3, 3])
    }

    @Test func `a line of gpsbridge does not repeat the point before it`() {
        var reading = Reading([])
        for (segment, longitude) in [(1, 16.0), (2, 16), (2, 17)] {
            var fix = Fix()
            fix.coordinate = Coordinate(latitude: 48, longitude: longitude)
            fix.complete(mode: nil, quality: nil)
            reading.entries.append(Reading.Entry(fix: fix, segment: segment))
        }
        let read = Reading(String(decoding: reading.written(as: KMLFormat.self), as: UTF8.self))
        #expect(read.fixes.map(\.coordinate) == reading.fixes.map(\.coordinate))
    }

    @Test(arguments: [true, false])
    func `a segment of one fix that gpsbridge wrote stays a segment`(isDated: Bool) {
        var reading = Reading([])
        let segments = [1, 1, 1, 2, 3, 4, 4, 4]
        for (index, segment) in segments.enumerated() {
            var fix = Fix()
            fix.coordinate = Coordinate(latitude: 48, longitude: 16 + Double(index) / 8)
            if isDated {
                fix.time = UTCTime(
                    unixNanoseconds: 1_774_094_400_000_000_000 + Int64(index) * 1_000_000_000)
            }
            fix.complete(mode: nil, quality: nil)
            reading.entries.append(Reading.Entry(fix: fix, segment: segment))
        }
        let read = Reading(reading.written(as: KMLFormat.self))
        #expect(read.fixes.map(\.coordinate) == reading.fixes.map(\.coordinate))
        #expect(read.entries.map(\.segment) == segments)
    }

    @Test func `a line between placemarks for its start and its end is read`() {
        func read(_ line: String) -> [Double?] {
            let points = ["16,48", "19,48"].map {
                "<Placemark><Point><coordinates>\($0)</coordinates></Point></Placemark>"
            }
            return Reading(
                "<kml>\(points.joined())<Placemark><LineString><coordinates>\(line)</coordinates>"
                    + "</LineString></Placemark></kml>"
            ).fixes.map(\.coordinate?.longitude)
        }
        #expect(read("16,48 17,48 18,48 19,48") == [16, 17, 18, 19])
        #expect(read("16,48 19,48") == [16, 19])
        #expect(read("16,48") == [19, 16])
    }

    @Test(arguments: [0, 1, 40_000])
    func `a description that is too long is cut off between two characters, and reported`(
        _ more: Int
    ) throws {
        let description = "a" + String(repeating: "ü", count: 32_767 + more)
        let text =
            "<kml><Placemark><name>A</name><description>\(description)</description>"
            + "<Point><coordinates>16,48</coordinates></Point></Placemark></kml>"
        for keepsWaypoints in [false, true] {
            var detector = InputDetector(file: "file", keepsWaypoints: keepsWaypoints)
            let decision = detector.push(Array(text.utf8)[...], isLast: true)
            guard case .reader(var reader) = decision else {
                Issue.record("this is KML")
                continue
            }
            var read: String?
            try reader.push(Array(text.utf8)[...]) { event in
                if case .waypoint(let waypoint) = event { read = waypoint.description }
            }
            #expect(
                reader.warning
                    == (keepsWaypoints && more > 0
                        ? "has names or descriptions of more than 64 KiB, which are cut off" : nil))
            #expect(read == (keepsWaypoints ? String(description.prefix(32_768)) : nil))
        }
    }

    // Google's timeline exports visits in this way.
    @Test func `the time of a point with a span is its beginning, and it stays a waypoint`() {
        let span = "<begin>2026-03-21T12:00:00.5+01:00</begin><end>2026-03-21T13:00:00Z</end>"
        let view = "<LookAt><gx:TimeSpan><begin>2020-01-01T00:00:00Z</begin></gx:TimeSpan></LookAt>"
        let point = "<Point><coordinates>16,48</coordinates></Point>"
        let text =
            "<kml xmlns:gx=\"a\"><Folder><TimeSpan>\(span)</TimeSpan>"
            + "<Placemark><name>A</name>\(view)<TimeSpan>\(span)</TimeSpan>\(point)</Placemark>"
            + "<Placemark><name>B</name>\(view)\(point)</Placemark>"
            + "<Placemark>\(point)<TimeSpan><begin>2026</begin></TimeSpan></Placemark></Folder></kml>"
        let times = ["2026-03-21T11:00:00.500Z", nil, nil]
        #expect(Reading(text).fixes.map { $0.time?.description } == times)
        let kept = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(kept.waypoints.map { $0.time?.description } == times)
        #expect(kept.waypoints.map(\.name) == ["A", "B", nil] && kept.fixes.isEmpty)
    }

    // gpsbabel writes all three with its option track=1.
    @Test func `a track is read once if it is written as gx Track, as points and as a line`() {
        let positions = [("16.5", "48.25", 0), ("16.75", "48.5", 1), ("17", "48.75", 2)]
        let track = positions.map {
            "<when>2026-03-21T12:00:0\($2)Z</when><gx:coord>\($0) \($1) 170</gx:coord>"
        }.joined()
        func points(_ second: Int, _ style: String = "#track") -> String {
            positions.map {
                "<Placemark><TimeStamp><when>2026-03-21T12:00:0\($2 + second)Z</when></TimeStamp>"
                    + "<styleUrl>\(style)</styleUrl><Point><coordinates>\($0),\($1)</coordinates>"
                    + "</Point></Placemark>"
            }.joined()
        }
        let line = positions.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        func read(_ points: String, line: String) -> Int {
            Reading(
                "<kml xmlns:gx=\"a\"><Folder><Placemark><gx:Track>\(track)</gx:Track></Placemark>"
                    + "<Folder><Folder>\(points)</Folder><Placemark><LineString><coordinates>\(line)"
                    + "</coordinates></LineString></Placemark></Folder></Folder></kml>"
            ).fixes.count
        }
        #expect(read(points(0), line: line) == 3)
        #expect(read("", line: line) == 3)
        #expect(read(points(0, "#photo"), line: line) == 3)
        // These are other points, and another line.
        #expect(read(points(1), line: line) == 6)
        #expect(read(points(0), line: "16.5,48.25 17,48.5") == 5)
    }

    @Test func `a time after its position is not that of the next one`() {
        func read(_ elements: String...) -> [Int?] {
            let body = elements.enumerated().map { index, name in
                name == "when"
                    ? "<when>2026-03-21T12:00:0\(index)Z</when>"
                    : "<gx:coord>\(name)</gx:coord>"
            }
            let reading = Reading(
                "<kml xmlns:gx=\"a\"><Placemark><gx:Track>\(body.joined())</gx:Track>"
                    + "</Placemark></kml>")
            return reading.fixes.map { $0.time?.time.second }
        }
        #expect(read("16 48", "when", "17 48", "when") == [1, 3])
        #expect(read("16 48", "17 48", "when", "when") == [nil, 3])
        #expect(read("16 48", "", "when", "when", "17 48", "when") == [nil, 5])
        #expect(read("when", "16 48", "17 48", "when", "18 48") == [0, 3, nil])
        #expect(read("16 48", "17 48") == [nil, nil])
    }

    @Test func `a track without times that is cut off gives all its positions`() {
        let reading = Reading(
            "<kml xmlns:gx=\"a\"><Placemark><gx:Track><gx:coord>16 48</gx:coord>"
                + "<gx:coord>17 48</gx:coord>")
        #expect(reading.fixes.map(\.coordinate?.longitude) == [16, 17])
        #expect(reading.error != nil)
    }

    // Flightradar24 exports a flight in this way.
    @Test func `lines between points with a time are skipped`() {
        func read(_ time: String, _ lines: String...) -> [Double?] {
            let points = ["16,48", "17,48", "18,48"].map {
                "<Placemark>\(time)<Point><coordinates>\($0)</coordinates></Point></Placemark>"
            }
            let trail = lines.map {
                "<Placemark><MultiGeometry><LineString><coordinates>\($0)</coordinates></LineString>"
                    + "</MultiGeometry></Placemark>"
            }
            return Reading(
                "<kml><Folder>\(points.joined())</Folder><Folder>\(trail.joined())</Folder></kml>"
            ).fixes.map(\.coordinate?.longitude)
        }
        let time = "<TimeStamp><when>2026-03-21T12:00:00Z</when></TimeStamp>"
        #expect(read(time, "18,48,0 17,48,0", "17,48,0 16,48,0") == [16, 17, 18])
        #expect(read(time, "17,48 17.5,48 18,48") == [16, 17, 18, 17, 17.5, 18])
        #expect(read("", "17,48 18,48") == [16, 17, 18])
    }

    private static let positions = [
        ("11.000", "48.000"), ("11.001", "48.001"), ("11.002", "48.002"),
    ]
    private static let line = placemark(
        "<LineString><coordinates>\(positions.map { "\($0),\($1),500" }.joined(separator: " "))"
            + "</coordinates></LineString>")
    private static let points = positions.map {
        placemark("<Point><coordinates>\($0)0000001,\($1)0000001,500</coordinates></Point>")
    }.joined()
    private static let timedPoints = positions.enumerated().map {
        placemark(
            "<TimeStamp><when>2024-06-01T10:00:0\($0)Z</when></TimeStamp>"
                + "<Point><coordinates>\($1.0),\($1.1),500</coordinates></Point>")
    }.joined()
    private static let track = placemark(
        "<gx:Track>"
            + positions.indices.map { "<when>2024-06-01T10:00:0\($0)Z</when>" }.joined()
            + positions.map { "<gx:coord>\($0) \($1) 500</gx:coord>" }.joined() + "</gx:Track>")
    private static let marks = [positions[0], positions[2]].map {
        placemark("<name>mark</name><Point><coordinates>\($0.0),\($0.1)</coordinates></Point>")
    }.joined()

    private static func placemark(_ content: String) -> String {
        "<Placemark>\(content)</Placemark>"
    }

    @Test(arguments: [
        [line, points], [points, line], [line, timedPoints], [timedPoints, line], [line, track],
        [track, line], [track, timedPoints], [timedPoints, track], [marks, line], [line, marks],
        [line, timedPoints, track], [track, timedPoints, line], [points, track, line],
    ])
    func `each position is read once, in any order of its forms`(_ parts: [String]) {
        let reading = Reading("<kml xmlns:gx=\"a\"><Document>\(parts.joined())</Document></kml>")
        #expect(reading.error == nil)
        #expect(
            reading.fixes.map { (($0.coordinate?.latitude ?? 0) * 1e4).rounded() / 1e4 }
                == [48, 48.001, 48.002])
        let isTimed = parts.contains(Self.timedPoints) || parts.contains(Self.track)
        #expect(reading.fixes.allSatisfy { ($0.time != nil) == isTimed })
    }

    /// The longitudes of a line in thousandths of a degree, and the segments of the parts that are
    /// read beside a track from 11.000 to 11.002.
    @Test(arguments: [
        ([0, 1, 2, 3, 4], [[3, 4]]), ([-2, -1, 0, 1, 2], [[-2, -1]]),
        ([-1, 0, 1, 2, 3, 4], [[-1], [3, 4]]), ([2, 1, 0, -1], [[-1]]), ([1, 2], []),
        // These only meet the track.
        ([2, 3, 4], [[2, 3, 4]]), ([9, 1, 8], [[9, 1, 8]]), ([0, 7, 8, 2], [[0, 7, 8, 2]]),
    ])
    func `of a line that goes on beyond a track with times, the rest is read`(
        _ line: [Int], _ parts: [[Int]]
    ) {
        let list = line.map { "\(11 + Double($0) / 1000),\(48 + Double($0) / 1000)" }
        let placemark = Self.placemark(
            "<LineString><coordinates>\(list.joined(separator: " "))</coordinates></LineString>")
        for content in [placemark + Self.track, Self.track + placemark] {
            let reading = Reading("<kml xmlns:gx=\"a\"><Document>\(content)</Document></kml>")
            let rest = reading.entries.filter { $0.fix.time == nil }
            let segments = Dictionary(grouping: rest, by: \.segment).sorted { $0.key < $1.key }
            #expect(
                segments.map {
                    $0.value.map {
                        Int(((($0.fix.coordinate?.latitude ?? 0) - 48) * 1000).rounded())
                    }
                } == parts)
            #expect(reading.fixes.count == 3 + rest.count)
        }
    }

    @Test func `several lines beside their points stay segments, and others are read`() {
        let other = Self.placemark(
            "<LineString><coordinates>12,48 12.1,48 12.2,48</coordinates></LineString>")
        let reading = Reading("<kml><Document>\(Self.points)\(Self.line)\(other)</Document></kml>")
        #expect(reading.entries.map(\.segment) == [1, 1, 1, 2, 2, 2])
    }

    @Test func `the start and the end of OpenTracks are no positions of the track`() {
        let start = "<styleUrl>#start</styleUrl><Point><coordinates>0.0,0.0</coordinates></Point>"
        let text = "<kml xmlns:gx=\"a\">\(Self.placemark(start))\(Self.track)</kml>"
        for keepsWaypoints in [false, true] {
            let reading = Reading(Array(text.utf8), keepsWaypoints: keepsWaypoints)
            #expect(reading.fixes.count == 3 && reading.waypoints.isEmpty)
        }
    }

    @Test func `times and heights of GDAL's data are read`() {
        let data =
            #"<SimpleData name="ele">545.4</SimpleData>"#
            + #"<SimpleData name="time">2026/03/21 12:00:00+00</SimpleData>"#
        let reading = Reading(
            "<kml>"
                + Self.placemark(
                    "<ExtendedData><SchemaData>\(data)</SchemaData></ExtendedData>"
                        + "<Point><coordinates>11.5,48.1</coordinates></Point>") + "</kml>")
        #expect(reading.fixes.map(\.altitude) == [545.4])
        #expect(reading.fixes.map { $0.time?.description } == ["2026-03-21T12:00:00.000Z"])
    }
}
