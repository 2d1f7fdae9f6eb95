// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSFormats
import GPSReceivers
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct TrackFormatsTests {
    private func instant(_ second: Int) -> String { "2026-03-21T12:00:0\(second).000Z" }

    @Test func `GPX has the reported values in the order of its schema`() {
        let text = Track.straight(2).converted(to: GPXFormat.self, name: "a<&>.nmea")
        let check = GPXCheck(text)
        #expect(check.problems == [])
        #expect(check.tracks == [[2]])
        #expect(text.contains("<trk><name>a&lt;&amp;&gt;.nmea</name><desc>origin: replay</desc>"))
        #expect(
            text.contains(
                """
                <trkpt lat="48.000010000" lon="16.000000000"><ele>171.000</ele>\
                <time>\(instant(1))</time><geoidheight>43.000</geoidheight><fix>3d</fix>\
                <sat>9</sat><hdop>1.00</hdop><extensions><gpxtpx:TrackPointExtension>\
                <gpxtpx:speed>5.144</gpxtpx:speed><gpxtpx:course>90.000</gpxtpx:course>\
                </gpxtpx:TrackPointExtension></extensions></trkpt>

                """))
    }

    @Test(arguments: [GPXFormat.self, KMLFormat.self] as [any OutputFormat.Type])
    func `XML has neither a leap second nor a course of 360 degrees`(
        _ format: any OutputFormat.Type
    ) throws {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        fix.course = 359.9996
        let date = try #require(CalendarDate(year: 2016, month: 12, day: 31))
        let time = try #require(
            TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: 250_000_000))
        fix.time = UTCTime(date: date, time: time)
        var writer = format.init()
        writer.begin(OutputSource(name: "a", origin: .replay))
        writer.write(fix)
        var bytes = writer.closing
        writer.drain { span in bytes = (0..<span.count).map { span[$0] } + bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        if format == GPXFormat.self { #expect(GPXCheck(text).problems == []) }
        #expect(!text.contains("360.000"))
        // The positions of the track are in its closing part.
        #expect((text + String(decoding: writer.closing, as: UTF8.self)).contains("23:59:59.999Z"))
    }

    @Test(
        arguments: [CSVFormat.self, GeoJSONFormat.self, GeoJSONSeqFormat.self]
            as [any OutputFormat.Type])
    func `a course that would be rounded to 360 degrees is 0`(
        _ format: any OutputFormat.Type
    ) {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        var writer = format.init()
        writer.begin(OutputSource(name: "a", origin: .replay))
        for course in [359.9996, 359.9994] {
            fix.course = course
            writer.write(fix)
        }
        var bytes: [UInt8] = []
        writer.drain { span in bytes += (0..<span.count).map { span[$0] } }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("360.000"), "\(text)")
        #expect(text.contains("359.999"), "\(text)")
    }

    @Test(
        arguments: [CSVFormat.self, GeoJSONFormat.self, GeoJSONSeqFormat.self]
            as [any OutputFormat.Type])
    func `a file that is continued has a new segment`(_ format: any OutputFormat.Type) throws {
        var fix = Fix()
        fix.mode = .twoD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        var file: [UInt8] = []
        for run in 1...3 {
            var writer = format.init()
            if run > 1 {
                let kept = writer.resume(head: file, end: file)
                file.removeLast(file.count - (try #require(kept)))
            }
            writer.begin(OutputSource(name: "a, \"b\"", origin: .live))
            writer.beginSegment()
            writer.write(fix)
            writer.drain { span in for index in span.indices { file.append(span[index]) } }
            file += writer.closing
        }
        let text = String(decoding: file, as: UTF8.self)
        for segment in 1...3 {
            let cell = format == CSVFormat.self ? ",\(segment),live," : "\"segment\":\(segment),"
            #expect(text.count(of: cell) == 1, "\(text)")
        }
    }

    @Test func `the check of GPX finds what is wrong`() {
        let text = Track.straight(2).converted(to: GPXFormat.self)
        let faults = [
            ("<fix>3d</fix>", "<fix>4d</fix>"), ("</trkseg>", ""), ("lat=\"48", "lat=\"98"),
            ("<sat>9</sat><hdop>1.00</hdop>", "<hdop>1.00</hdop><sat>9</sat>"),
        ]
        for (right, wrong) in faults {
            let spoiled = text.replacingOccurrences(of: right, with: wrong)
            #expect(GPXCheck(spoiled).problems != [], "\(wrong)")
        }
    }

    @Test func `every available recording gives valid GPX`() throws {
        let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/Receivers")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "nmea" {
            var conversion = Conversion(to: GPXFormat.self)
            conversion.begin(OutputSource(name: file.lastPathComponent, origin: .replay))
            conversion.push(Array(try Data(contentsOf: file)).span)
            conversion.end()
            var bytes: [UInt8] = []
            conversion.drain { span in for i in span.indices { bytes.append(span[i]) } }
            let check = GPXCheck(String(decoding: bytes + conversion.closing, as: UTF8.self))
            #expect(check.problems == [], "\(file.lastPathComponent)")
        }
    }

    @Test func `a file without fixes is complete`() throws {
        let empty = Track().converted(to: GPXFormat.self)
        #expect(GPXCheck(empty).problems == [])
        #expect(GPXCheck(empty).tracks == [])
        let json = Track().converted(to: GeoJSONFormat.self)
        #expect(json == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
        #expect(Track().converted(to: CSVFormat.self).lines.count == 1)
        #expect(Track().converted(to: KMLFormat.self).hasSuffix("</Document></kml>\n"))
    }

    @Test func `a segment ends at a lost fix, at a step back in time and at a gap`() {
        var track = Track()
        for second in [0, 1, 2] { track.add(second, 48) }
        track.add(3, nil)
        for second in [4, 5] { track.add(second, 48) }
        for second in [70, 71, 72, 73] { track.add(second, 48) }
        #expect(GPXCheck(track.converted(to: GPXFormat.self)).tracks == [[3, 2, 4]])
        let wide = track.converted(to: GPXFormat.self) { $0.gap = 100 }
        #expect(GPXCheck(wide).tracks == [[3, 6]])
        let twice = Track.converted([track, track], to: GPXFormat.self)
        #expect(GPXCheck(twice).tracks == [[3, 2, 4], [3, 2, 4]])
        let rows = track.converted(to: CSVFormat.self).lines.dropFirst()
        let segments = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[17] }
        #expect(segments == ["1", "1", "1", "2", "2", "3", "3", "3", "3"])
    }

    @Test func `simulated data is a separate track`() {
        var track = Track.straight(2)
        for second in [2, 3, 4] { track.add(second, 48, quality: .simulated) }
        track.add(5, 48)
        let text = track.converted(to: GPXFormat.self)
        #expect(GPXCheck(text).tracks == [[2], [3], [1]])
        #expect(text.count(of: "<name>SIMULATED a.nmea</name><desc>origin: simulated") == 1)
    }

    @Test func `positions on the date line and at the poles follow the schema`() {
        var track = Track()
        track.add(0, 90, 180)
        track.add(1, -90, -180)
        let text = track.converted(to: GPXFormat.self)
        #expect(GPXCheck(text).problems == [])
        #expect(text.contains("lat=\"90.000000000\" lon=\"-180.000000000\""))
    }

    @Test func `a single position is a point in KML, not a line`() {
        var track = Track()
        track.add(0, 48)
        let text = track.converted(to: KMLFormat.self)
        #expect(text.contains("<TimeStamp><when>"))
        #expect(text.count(of: "<Point>") == 1)
        #expect(text.count(of: "Track>") == 0)
        #expect(text.count(of: "</Placemark>") == 1)
        // Segments of one fix, between others and at the end.
        for second in [1, 70, 140, 141, 220] { track.add(second, 48) }
        let mixed = track.converted(to: KMLFormat.self)
        #expect(mixed.count(of: "<Point>") == 2)
        #expect(mixed.count(of: "</gx:MultiTrack></Placemark>") == 2)
        #expect(mixed.count(of: "<when>") == 6)
    }

    @Test func `positions without a date are a line, a single one is a point`() {
        var format = KMLFormat()
        format.begin(OutputSource(name: "a.nmea", origin: .replay))
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        format.write(fix)
        #expect(String(decoding: format.closing, as: UTF8.self).contains("<Point><coordinates>"))
        format.write(fix)
        var text = ""
        format.drain { span in
            for index in span.indices { text.unicodeScalars.append(Unicode.Scalar(span[index])) }
        }
        text += String(decoding: format.closing, as: UTF8.self)
        #expect(text.contains("<LineString><coordinates>\n"))
        #expect(text.count(of: "11") == 2)
        #expect(!text.contains("<Point>"))
    }

    @Test func `KML has as many times as positions for tracks of any length`() {
        let text = Track.straight(2500).converted(to: KMLFormat.self)
        #expect(text.count(of: "<when>") == 2500)
        #expect(text.count(of: "<gx:coord>") == 2500)
        #expect(text.count(of: "<gx:MultiTrack>") == 1)
        #expect(text.count(of: "<gx:Track>") == 3)
        var open = (times: 0, positions: 0)
        for line in text.lines {
            if line.hasPrefix("<when>") {
                #expect(open.positions == 0)
                open.times += 1
            } else if line.hasPrefix("<gx:coord>") {
                open.positions += 1
            } else if line == "</gx:Track>" {
                #expect(open.times == open.positions)
                open = (0, 0)
            }
        }
    }

    @Test func `GeoJSON is valid JSON with the height above the ellipsoid as third number`() throws
    {
        let text = Track.straight(3).converted(to: GeoJSONFormat.self, name: "a\"\\.nmea")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(object?["features"] as? [[String: Any]])
        #expect(features.count == 3)
        let point = try #require(features[1]["geometry"] as? [String: Any])
        #expect(point["coordinates"] as? [Double] == [16, 48.00001, 214])
        let properties = try #require(features[1]["properties"] as? [String: Any])
        #expect(properties["time"] as? String == instant(1))
        #expect(properties["altitude"] as? Double == 171)
        #expect(properties["horizontal_accuracy"] as? Double != nil)
        #expect(properties["source"] as? String == "a\"\\.nmea")
        #expect(properties["origin"] as? String == "replay")
    }

    @Test func `each record of a GeoJSON sequence is a JSON text`() throws {
        let lines = Track.straight(3).converted(to: GeoJSONSeqFormat.self).lines
        #expect(lines.count == 3)
        for line in lines {
            #expect(line.first == "\u{1E}")
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(line.dropFirst().utf8))
            }
        }
    }

    @Test func `CSV has as many fields in each row as in its header`() {
        let text = Track.straight(2).converted(to: CSVFormat.self, name: "a, \"b\".nmea")
        let row = text.lines[2]
        #expect(
            row.hasPrefix(
                "\(instant(1)),48.000010000,16.000000000,214.000,171.000,43.000,5.144,90.000,3D,"
                    + "autonomous,9,1.00,,,"))
        #expect(row.hasSuffix(",,1,replay,\"a, \"\"b\"\".nmea\""))
        let plain = Track.straight(2).converted(to: CSVFormat.self).lines
        let counts = plain.map { $0.count(of: ",") }
        #expect(counts == [19, 19, 19])
    }

    @Test func `NMEA output is the valid sentences, byte for byte`() {
        let track = Track.straight(3)
        let clean = String(decoding: track.bytes, as: UTF8.self)
        let dirty =
            "noise"
            + clean.replacingOccurrences(
                of: "\r\n", with: "\n\u{7}$GPGGA,broken*00\n")
        var conversion = Conversion(to: NMEAFormat.self)
        conversion.begin(OutputSource(name: "a"))
        conversion.push(Array(dirty.utf8).span)
        conversion.end()
        var bytes: [UInt8] = []
        conversion.drain { span in for i in span.indices { bytes.append(span[i]) } }
        #expect(bytes + conversion.closing == track.bytes)
    }

    @Test func `each format with waypoints leaves out those with an invalid position`() {
        func write(_ format: some OutputFormat) {
            var format = format
            format.begin(OutputSource(name: "a"))
            var route = Route()
            for (latitude, isWritten) in [(48, true), (91, false), (Double.nan, false)] {
                let point = Waypoint(Coordinate(latitude: latitude, longitude: 11))
                let result = format.write(point)
                #expect(result == isWritten, "\(type(of: format))")
                route.points.append(point)
            }
            let hasInvalid = format.write(route)
            route.points.removeLast(2)
            let isValid = format.write(route)
            #expect(!hasInvalid && isValid)
        }
        write(GPXFormat())
        write(KMLFormat())
        write(GeoJSONFormat())
        write(GeoJSONLineFormat())
        write(GeoJSONSeqFormat())
    }
}

/// A receiver's track as sentences, and its conversion.
struct Track {
    private var writer = SentenceWriter()
    /// Whether each epoch ends with a GLL, which contributes nothing to the fix.
    var hasGLL = false

    var bytes: [UInt8] { writer.bytes }

    /// Adds an epoch a number of seconds after noon; without a position if the latitude is `nil`.
    mutating func add(
        _ second: Int, _ latitude: Double?, _ longitude: Double = 16, dated: Bool = true,
        quality: FixQuality = .autonomous
    ) {
        let position = latitude.map { Coordinate(latitude: $0, longitude: longitude) }
        let time = TimeOfDay(
            hour: 12 + second / 3600, minute: second / 60 % 60, second: second % 60)
        if dated {
            var rmc = RMC()
            rmc.time = time
            rmc.date = CalendarDate(year: 2026, month: 3, day: 21)
            rmc.status = UInt8(ascii: position == nil ? "V" : "A")
            rmc.coordinate = position
            rmc.speedKnots = position == nil ? nil : 10
            rmc.course = position == nil ? nil : 90
            rmc.mode = position == nil ? .invalid : quality
            writer.write(rmc)
        }
        var gga = GGA()
        gga.time = time
        gga.coordinate = position
        gga.quality = position == nil ? .invalid : quality
        gga.satellites = position == nil ? 0 : 9
        gga.hdop = position == nil ? nil : 1
        gga.altitude = position == nil ? nil : 171
        gga.geoidSeparation = position == nil ? nil : 43
        writer.write(gga)
        guard hasGLL else { return }
        var gll = GLL()
        (gll.time, gll.coordinate) = (time, position)
        gll.status = UInt8(ascii: position == nil ? "V" : "A")
        writer.write(gll)
    }

    /// Epochs a second apart, a hundred-thousandth of a degree (1.1 m) apart.
    static func straight(_ count: Int, hasGLL: Bool = false) -> Track {
        var track = Track()
        track.hasGLL = hasGLL
        for second in 0..<count { track.add(second, 48 + Double(second) * 1e-5) }
        return track
    }

    /// The track converted to a format.
    func converted(
        to format: any OutputFormat.Type, name: String = "a.nmea", origin: DataOrigin = .replay,
        chunk: Int = 1 << 16, _ select: (inout FixSelection) -> Void = { _ in }
    ) -> String {
        Self.converted([self], to: format, name: name, origin: origin, chunk: chunk, select)
    }

    static func converted(
        _ tracks: [Track], to format: any OutputFormat.Type, name: String = "a.nmea",
        origin: DataOrigin = .replay, chunk: Int = 1 << 16,
        _ select: (inout FixSelection) -> Void = { _ in }
    ) -> String {
        var selection = FixSelection()
        select(&selection)
        var conversion = Conversion(to: format, selecting: selection)
        var written: [UInt8] = []
        for track in tracks {
            conversion.begin(OutputSource(name: name, origin: origin))
            let bytes = track.bytes
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                conversion.push(bytes.span.extracting(start..<min(start + chunk, bytes.count)))
                conversion.drain { span in for i in span.indices { written.append(span[i]) } }
            }
            conversion.end()
        }
        conversion.drain { span in for i in span.indices { written.append(span[i]) } }
        let head = conversion.head
        let rest = (written + conversion.closing).dropFirst(head.count)
        return String(decoding: head + rest, as: UTF8.self)
    }
}

extension String {
    /// The number of occurrences of a text.
    func count(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while !rest.isEmpty {
            if rest.hasPrefix(text) { count += 1 }
            rest = rest.dropFirst()
        }
        return count
    }

    /// The lines, without the last line end.
    var lines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// The requirements of the GPX 1.1 schema for tracks: elements, order and values.
struct GPXCheck {
    /// The violations found; empty for a valid file.
    private(set) var problems: [String] = []
    /// The number of points of each segment of each track.
    private(set) var tracks: [[Int]] = []

    private var open: [(name: String, place: Int)] = []
    private var text = ""

    /// The children in their required order; those with `*` may be repeated.
    private static let children: [String: [String]] = [
        "": ["gpx"],
        "gpx": ["metadata", "wpt*", "rte*", "trk*", "extensions"],
        "trk": [
            "name", "cmt", "desc", "src", "link*", "number", "type", "extensions", "trkseg*",
        ],
        "trkseg": ["trkpt*", "extensions"],
        "trkpt": [
            "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link*", "sym",
            "type", "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions",
        ],
        "extensions": ["gpxtpx:TrackPointExtension"],
        "gpxtpx:TrackPointExtension": ["gpxtpx:speed", "gpxtpx:course"],
    ]

    init(_ file: String) {
        var rest = file[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else {
                problems.append("a tag has no end")
                return
            }
            take(tag: String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !open.isEmpty { problems.append("\(open.map(\.name)) have no end") }
        if !rest.allSatisfy(\.isWhitespace) { problems.append("'\(rest)' follows") }
    }

    private mutating func take(tag: String) {
        if tag.hasPrefix("?") { return }
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            guard let last = open.popLast(), last.name == name else {
                return problems.append("</\(name)> ends nothing")
            }
            check(value: text, of: name)
        } else {
            let name = String(tag.prefix { $0 != " " })
            begin(name)
            if name == "trk" { tracks.append([]) }
            if name == "trkseg" { tracks[tracks.count - 1].append(0) }
            if name == "trkpt" {
                tracks[tracks.count - 1][tracks[tracks.count - 1].count - 1] += 1
                check(attribute: "lat", of: tag) { -90...90 ~= $0 }
                check(attribute: "lon", of: tag) { $0 >= -180 && $0 < 180 }
            }
        }
        text = ""
    }

    private mutating func begin(_ name: String) {
        let parent = open.last?.name ?? ""
        let allowed = Self.children[parent] ?? []
        let first = open.last?.place ?? 0
        let place = allowed.indices.first {
            $0 >= first && (allowed[$0] == name || allowed[$0] == name + "*")
        }
        if let place {
            if !open.isEmpty {
                open[open.count - 1].place = allowed[place].hasSuffix("*") ? place : place + 1
            }
        } else {
            problems.append("<\(name)> is not allowed here in <\(parent)>")
        }
        open.append((name, 0))
    }

    private mutating func check(value: String, of name: String) {
        let number = Double(value)
        let isRight: Bool =
            switch name {
            case "ele", "geoidheight", "hdop", "vdop", "pdop", "ageofdgpsdata", "gpxtpx:speed":
                number != nil
            case "magvar", "gpxtpx:course": number.map { $0 >= 0 && $0 < 360 } ?? false
            case "sat": Int(value).map { $0 >= 0 } ?? false
            case "dgpsid": Int(value).map { 0...1023 ~= $0 } ?? false
            case "fix": ["none", "2d", "3d", "dgps", "pps"].contains(value)
            case "time": value.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z/#) != nil
            default: true
            }
        if !isRight { problems.append("'\(value)' is not a valid \(name)") }
    }

    private mutating func check(
        attribute: String, of tag: String, _ isRight: (Double) -> Bool
    ) {
        let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
        let place = parts.firstIndex { $0.hasSuffix(" \(attribute)=") }
        guard let place, parts.indices.contains(place + 1), let value = Double(parts[place + 1]),
            isRight(value)
        else { return problems.append("<\(tag)> has no valid \(attribute)") }
    }
}
