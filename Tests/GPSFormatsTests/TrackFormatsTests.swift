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
