// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// Files of formats other than NMEA: `convert` reads them, and `monitor` replays them.
@Suite(.timeLimit(.generous))
struct OtherFormatsTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        let epochs = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        capture = try folder.file("drive.nmea", epochs)
    }

    private func converted(_ words: String...) async throws -> [String] {
        let run = try await CommandRun(words: ["convert"] + words)
        let lines = try await run.lines()
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        return lines
    }

    @Test(arguments: ["json", "gpx", "geojson", "geojsonseq", "csv"])
    func `a file of another format is converted under any name`(_ format: String) async throws {
        let path = folder.path("file")
        _ = try await converted(capture, "--to", format, "-o", path)
        let original = try await converted(capture, "--to", "gpx").filter { $0.contains("<trkpt") }
        let read = try await converted(path, "--to", "gpx").filter { $0.contains("<trkpt") }
        func essence(_ lines: [String]) -> [Substring] {
            lines.compactMap { $0.split(separator: "</time>", maxSplits: 1).first }
        }
        #expect(essence(read) == essence(original))
        #expect(read.count == 5)
    }

    @Test func `monitor replays a file of another format`() async throws {
        let path = folder.path("file")
        _ = try await converted(capture, "--to", "geojson", "-o", path)
        let run = try await CommandRun(words: ["monitor", path, "--speed", "1000", "-f", "json"])
        let positions = try await run.lines().filter { $0.contains("\"lat\":48.2") }
        #expect(positions.count == 5)
        #expect(positions.first?.contains("\"time\":\"2026-03-21T12:00:00.000Z\"") == true)
        #expect(await run.status() == 0)
    }

    @Test func `monitor prints CSV, a header and a row for every fix`() async throws {
        let run = try await CommandRun(
            words: ["monitor", capture, "--speed", "1000", "--format", "csv"])
        let lines = try await run.lines()
        #expect(lines.count == 6)
        #expect(lines.first?.hasPrefix("time,latitude_deg,longitude_deg,") == true)
        #expect(lines.last?.hasPrefix("2026-03-21T12:00:04.000Z,48.2") == true)
        #expect(lines.last?.hasSuffix(",1,replay,drive.nmea") == true)
    }

    @Test func `a damaged file is converted up to the damage, which is reported with its line`()
        async throws
    {
        let gpx = try await converted(capture, "--to", "gpx")
        let damaged = gpx.prefix(5) + ["<trkpt lat=\"49\" lon=\"0\"></gpx>"]
        let path = try folder.file("a.gpx", Array(damaged.joined(separator: "\n").utf8))
        let run = try await CommandRun(words: ["convert", path, "--to", "csv"])
        #expect(try await run.lines().count == 3)
        #expect(
            try await run.messages() == [
                "gpsbridge: \(path):6: the XML is not well-formed: mismatched tag"
            ])
        #expect(await run.status() == 1)
        let replay = try await CommandRun(words: ["monitor", path, "--speed", "1000", "-f", "csv"])
        #expect(try await replay.lines().count == 3)
        #expect(try await replay.messages().first?.contains("a.gpx:6: the XML") == true)
        #expect(await replay.status() == 1)
    }

    @Test func `positions in a reference system that is stated after them are not written`()
        async throws
    {
        func file(_ count: Int) throws -> String {
            let points = (0..<count).map { "[\(10 + Double($0) / 10_000),48]" }
            let text =
                #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":"#
                + #"{"type":"LineString","coordinates":[\#(points.joined(separator: ","))]}}],"#
                + #""crs":{"type":"name","properties":{"name":"EPSG:25832"}}}"#
            return try folder.file("\(count).json", Array(text.utf8))
        }
        let output = folder.path("x.gpx")
        let short = try file(3)
        for words in [
            ["convert", short, "--to", "csv"], ["convert", short, "-o", output],
            ["convert", "--merge", short, short, "--to", "csv"],
            ["monitor", short, "--speed", "1e6", "-f", "text"],
        ] {
            let run = try await CommandRun(words: words)
            #expect(try await run.lines() == [])
            #expect(try await run.message(with: "EPSG:25832\", not in WGS 84") != nil)
            #expect(try await run.messages().allSatisfy { !$0.contains("is damaged") })
            #expect(await run.status() == 1)
        }
        #expect(access(output, F_OK) != 0)
        // Its first positions have been written when the reference system is read.
        let long = try await CommandRun(words: ["convert", try file(20_000), "--to", "csv"])
        #expect(try await long.lines().count > 1)
        #expect(try await long.messages().last?.hasSuffix("; do not use the output") == true)
        #expect(await long.status() == 1)
    }

    @Test func `a replay of several fixes with the same time loses none of the others`()
        async throws
    {
        let rows = (0..<20).map {
            "2026-03-21T12:00:0\($0 / 5).\($0 % 5 * 2)00Z,48.000\(10 + $0),11,500\n"
        }
        let csv = try folder.file("a.csv", Array(("time,lat,lon,ele\n" + rows.joined()).utf8))
        let fit = folder.path("a.fit")
        _ = try await converted(csv, "-o", fit)
        let run = try await CommandRun(words: ["monitor", fit, "--speed", "1e6", "-f", "text"])
        let lines = try await run.lines()
        #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix(" 3D") }, "\(lines)")
    }

    @Test func `an odd value costs no other one, unless most positions are odd`() async throws {
        func gpx(_ latitudes: String...) throws -> String {
            let points = latitudes.map { #"<trkpt lat="\#($0)" lon="11"><ele>4,5</ele></trkpt>"# }
            let text = "<gpx><trk><trkseg>\n\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
            return try folder.file("odd.gpx", Array(text.utf8))
        }
        let good = try await CommandRun(
            words: [
                "convert", try gpx("48", "undefined", "48.1", "48.2"), "--to", "csv", "--stats",
            ])
        #expect(try await good.lines().count == 4)
        let messages = try await good.messages()
        #expect(messages.count == 4, "\(messages)")
        #expect(
            messages.first?.hasSuffix(
                #"odd.gpx has 1 point with an impossible position (line 3: "undefined") and "#
                    + #"3 elevations in an unknown form (the first in line 2: "4,5"), "#
                    + "which are left out") == true)
        #expect(await good.status() == 0)
        let merged = try await CommandRun(
            words: ["convert", "--merge", try gpx("48", "undefined"), "--to", "csv"])
        #expect(try await merged.messages().first?.contains("line 3: \"undefined\"") == true)
        let bad = try await CommandRun(words: ["convert", try gpx("48,1", "48,2"), "--to", "csv"])
        #expect(
            try await bad.messages().contains {
                $0.contains("odd.gpx: 2 of 2 positions cannot be read")
            })
        #expect(await bad.status() == 1)
    }

    @Test func `a file without a position is reported also after a damaged file`() async throws {
        let point = "<trkpt lat=\"48\" lon=\"11\"/>"
        let cut = try folder.file("cut.gpx", Array("<gpx><trk><trkseg>\(point)".utf8))
        let empty = try folder.file("empty.gpx", Array("<gpx></gpx>".utf8))
        let run = try await CommandRun(words: ["convert", cut, empty, cut, "--to", "csv"])
        #expect(try await run.lines().count == 3)
        let messages = try await run.messages()
        #expect(messages.count == 3, "\(messages)")
        #expect(messages.count { $0.contains("cut.gpx:1: the XML is not well-formed") } == 2)
        #expect(messages.contains("gpsbridge: \(empty) is GPX without a position"))
        #expect(await run.status() == 1)
    }

    @Test func `fixes are omitted by DOP, satellites, accuracy and quality`() async throws {
        let csv = """
            time,lat,lon,hdop,pdop,satellites_used,horizontal_accuracy_m,quality
            2026-03-21T12:00:00Z,48.1,16,0.9,1.5,9,2,differential
            2026-03-21T12:00:01Z,48.2,16,3,5,4,20,autonomous
            2026-03-21T12:00:02Z,48.3,16,,,,,autonomous

            """
        let path = try folder.file("a.csv", Array(csv.utf8))
        for option in [
            ["--max-hdop", "2"], ["--max-pdop", "2"], ["--min-satellites", "5"],
            ["--max-accuracy", "5"], ["--quality", "differential,rtk_fixed"],
        ] {
            let lines = try await converted(path, "--to", "csv", option[0], option[1])
            #expect(lines.count == 2, "\(option)")
            #expect(lines.last?.contains(",48.100000000,") == true, "\(option)")
            // A summary and a plot are of the same fixes, with an output and without one.
            let (plot, output) = (folder.path("a.svg"), folder.path("b.csv"))
            for words in [[], ["-o", output]] as [[String]] {
                let run = try await CommandRun(
                    words: ["convert", path, "--summary", "--plot", plot] + option + words)
                #expect(try await run.lines().first == "fixes          1", "\(option)")
                #expect(try await run.messages() == [])
                #expect(await run.status() == 0)
                let image = GPSTestSupport.lines(of: readFile(plot)).joined()
                #expect(image.contains(">1 fix"), "\(option)")
            }
        }
        let none = try await CommandRun(words: [
            "convert", path, "--summary", "--max-hdop", "0.1",
        ])
        #expect(try await none.lines().first == "fixes          0")
        #expect(try await none.message()?.contains("no fix is in the summary: ") == true)
        #expect(await none.status() == 3)
        try await CommandRun.expectFailure(
            ["convert", path, "--to", "csv", "--quality", "good"], status: 2,
            "unknown quality 'good'")
    }

    @Test func `fixes of several receivers that alternate are reported`() async throws {
        let objects = (0..<10).map { index in
            #"{"class":"TPV","device":"\#(index % 2 == 0 ? "a" : "b")","mode":2,"lat":48,"lon":11,"#
                + #""time":"2026-03-21T12:00:0\#(index / 2).000Z"}"#
        }
        let file = try folder.file("two.json", Array(objects.joined(separator: "\n").utf8))
        for words in [[], ["--merge"]] {
            let run = try await CommandRun(words: ["convert", file, "--to", "csv"] + words)
            #expect(
                try await run.message()?.contains("two.json contains fixes of several receivers")
                    == true)
            #expect(try await run.lines().count == 11)
            #expect(await run.status() == 0)
        }
    }

    @Test func `title, description and author are in GPX and KML`() async throws {
        for format in ["gpx", "kml"] {
            let text = try await converted(
                capture, "--to", format, "--title", "A & B", "--description", "<c>", "--author", "D"
            ).joined()
            for part in [">A &amp; B<", ">&lt;c&gt;<", ">D<"] {
                #expect(text.contains(part), "\(format)")
            }
        }
    }

    @Test func `GeoJSON has a line for every segment`() async throws {
        let lines = try await converted(capture, "--to", "geojson-lines")
        #expect(lines.count == 7)
        #expect(lines[1].contains(#""geometry":{"type":"LineString","coordinates":[[16.36"#))
    }
}

/// GPX files without a track.
@Suite(.timeLimit(.generous))
struct WaypointsTests {
    private static let start = #"<?xml version="1.0"?><gpx version="1.1" creator="x">"#
    private static let point = #"<wpt lat="48.1" lon="11.5"><name>A</name></wpt>"#

    private func run(_ content: String, _ words: [String]) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        let file = try folder.file("w.gpx", Array("\(Self.start)\(content)</gpx>".utf8))
        let run = try await CommandRun(words: words.map { $0 == "$0" ? file : $0 })
        _ = await run.status()
        withExtendedLifetime(folder) {}
        return run
    }

    @Test(arguments: [
        ["convert", "$0", "--to", "csv"], ["convert", "$0", "--summary"],
        ["monitor", "$0", "-f", "text"],
    ])
    func `a file with only waypoints is reported`(_ words: [String]) async throws {
        let run = try await run(Self.point, words)
        let message = try await run.message(with: "w.gpx")
        #expect(
            message?.contains("contains waypoints, but no track and no route") == true,
            "\(message ?? "")")
        #expect(await run.status() == 3)
    }

    private static let places = """
        <wpt lat="48.1" lon="11.5"><ele>520</ele><time>2026-03-21T12:00:00Z</time><name>A &amp; B</name>\
        <cmt>comment</cmt><desc>harbour</desc><sym>Anchor</sym></wpt><wpt lat="48.2" lon="180"/>\
        <rte><name>home</name><rtept lat="48.3" lon="11.7"><name>C</name></rtept>\
        <rtept lat="48.4" lon="11.8"><ele>1</ele></rtept></rte>
        """
    private static let track =
        #"<trk><trkseg><trkpt lat="48.5" lon="11.9"/><trkpt lat="48.6" lon="12"/></trkseg></trk>"#

    /// The output for a format, without its head and the track's description.
    private func output(_ content: String, _ format: String) async throws -> String {
        let run = try await run(content, ["convert", "$0", "--to", format])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        return try await run.lines().joined(separator: "\n")
    }

    @Test func `GPX keeps waypoints and routes before the track`() async throws {
        let places = """
            <wpt lat="48.100000000" lon="11.500000000"><ele>520.000</ele>\
            <time>2026-03-21T12:00:00.000Z</time><name>A &amp; B</name><desc>harbour</desc>\
            <sym>Anchor</sym></wpt>
            <wpt lat="48.200000000" lon="-180.000000000"></wpt>
            <rte><name>home</name>
            <rtept lat="48.300000000" lon="11.700000000"><name>C</name></rtept>
            <rtept lat="48.400000000" lon="11.800000000"><ele>1.000</ele></rtept>
            </rte>

            """
        let both = try await output(Self.places + Self.track, "gpx")
        #expect(both.contains(places + "<trk><name>w.gpx</name>"), "\(both)")
        #expect(both.split(separator: "<trkpt").count == 3)
        let alone = try await output(Self.places, "gpx")
        #expect(alone.contains(places + "</gpx>"), "\(alone)")
    }

    @Test func `KML has placemarks for waypoints and a folder for a route`() async throws {
        let text = try await output(Self.places + Self.track, "kml")
        for part in [
            "<Placemark><name>A &amp; B</name><description>harbour</description><TimeStamp><when>2026-03-21T12:",
            "<altitudeMode>absolute</altitudeMode><coordinates>11.500000000,48.100000000,520.000<",
            "</TimeStamp><ExtendedData><Data name=\"kind\"><value>waypoint</value></Data></ExtendedData>",
            "<value>route</value></Data></ExtendedData>\n<Placemark><name>C</name><Point><coordinates>11.7",
            "<LineString><coordinates>\n11.700000000,48.300000000,0\n11.800000000,48.400000000,0\n",
            "</LineString></Placemark></Folder>\n<Placemark><name>w.gpx</name>",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test(arguments: ["kml", "geojson", "geojson-lines", "geojsonseq"])
    func `waypoints and routes are read back as such`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let there = try await output(Self.places + Self.track, format)
        let file = try folder.file("there", Array(there.utf8))
        let back = try await CommandRun(words: ["convert", file, "--to", "gpx"])
        let symbol = format == "kml" ? "" : "<sym>Anchor</sym>"
        let altitude = format == "kml" ? "<ele>1.000</ele>" : ""
        let expected = """
            <wpt lat="48.100000000" lon="11.500000000"><ele>520.000</ele>\
            <time>2026-03-21T12:00:00.000Z</time><name>A &amp; B</name><desc>harbour</desc>\
            \(symbol)</wpt>
            <wpt lat="48.200000000" lon="-180.000000000"></wpt>
            <rte><name>home</name>
            <rtept lat="48.300000000" lon="11.700000000"><name>C</name></rtept>
            <rtept lat="48.400000000" lon="11.800000000">\(altitude)</rtept>
            </rte>
            <trk>
            """
        let text = try await back.lines().joined(separator: "\n")
        #expect(text.contains(expected), "\(text)")
        #expect(text.split(separator: "<trkpt").count == 3)
        let csv = try await CommandRun(words: ["convert", file, "--to", "csv"])
        #expect(try await csv.lines().count == 3)
    }

    @Test(arguments: ["kml", "geojson"])
    func `a file of another format with only waypoints is reported`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let there = try await output(Self.point, format)
        let file = try folder.file("there", Array(there.utf8))
        try await CommandRun.expectFailure(
            ["convert", file, "--to", "csv"], status: 3,
            "contains waypoints, but no track and no route")
    }

    @Test(arguments: ["kml", "geojson"])
    func `outputs without routes contain their points if there is no track`(
        _ format: String
    ) async throws {
        let folder = try TemporaryFolder()
        let there = try await output(Self.places, format)
        let file = try folder.file("there", Array(there.utf8))
        let csv = try await CommandRun(words: ["convert", file, "--to", "csv"])
        #expect(try await csv.lines().dropFirst().count { $0.hasPrefix(",48.") } == 2)
    }

    @Test(arguments: ["gpx", "kml", "geojson"])
    func `a summary and a plot are of the points of routes if there is no track`(
        _ format: String
    ) async throws {
        let folder = try TemporaryFolder()
        let (output, plot) = (folder.path("a.\(format)"), folder.path("a.svg"))
        let points = ["48", "48.1", "48.2"].map { #"<rtept lat="\#($0)" lon="11"/>"# }
        let route = "<rte>\(points.joined())</rte>"
        for (content, count) in [(route, 3), (route + Self.track, 2), (Self.track + route, 2)] {
            let run = try await run(
                content, ["convert", "$0", "-o", output, "--summary", "--plot", plot])
            #expect(try await run.lines().first == "fixes          \(count)")
            #expect(try await run.messages() == [])
            #expect(await run.status() == 0)
            let image = GPSTestSupport.lines(of: readFile(plot)).joined()
            #expect(image.contains(">\(count) fixes"))
        }
        let waypoints = try await run(Self.point, ["convert", "$0", "-o", output, "--summary"])
        let message = try await waypoints.message()
        #expect(
            message?.contains("no fix is in the summary: there are only waypoints and routes")
                == true)
        #expect(await waypoints.status() == 3)
    }

    @Test func `gpsbabel's waypoints in KML are waypoints`() async throws {
        let folder = try TemporaryFolder()
        let text = """
            <kml><Document><name>GPS device</name><Folder><name>Waypoints</name><Placemark>
            <name>Harbour</name><snippet/><styleUrl>#waypoint</styleUrl>
            <Point><coordinates>11.5,48.1</coordinates></Point></Placemark></Folder>
            <Folder><name>Tracks</name><Placemark><name>Path</name><LineString>
            <coordinates>11.5,48.1 11.6,48.2</coordinates></LineString></Placemark></Folder>
            </Document></kml>
            """
        let file = try folder.file("babel.kml", Array(text.utf8))
        let gpx = try await CommandRun(words: ["convert", file, "--to", "gpx"])
        let lines = try await gpx.lines()
        #expect(lines.count { $0.contains("<name>Harbour</name></wpt>") } == 1)
        #expect(lines.count { $0.hasPrefix("<trkpt") } == 2)
    }

    @Test(arguments: ["geojson", "geojson-lines", "geojsonseq"])
    func `GeoJSON has points for waypoints and a line for a route`(_ format: String) async throws {
        let text = try await output(Self.places + Self.track, format)
        for part in [
            #""coordinates":[11.500000000,48.100000000]},"properties":{"kind":"waypoint","name":"A & B","#,
            #""description":"harbour","symbol":"Anchor","altitude":520.000,"time":"2026-03-21T12:00:00.000Z"}}"#,
            #"{"kind":"route","name":"home","points":["C",""]},"geometry":{"type":"LineString","coordinates":[[11.7"#,
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let features = text.split(separator: "\n").filter { $0.contains("\"Feature\"") }
        let isSeparated = features.dropFirst().allSatisfy { $0.hasPrefix(",{") }
        #expect(isSeparated == (format != "geojsonseq"))
    }

    @Test func `waypoints and routes that follow a track precede it in GPX`() async throws {
        let output = try await output(
            Self.track + Self.point + #"<rte><rtept lat="1" lon="2"/></rte>"# + Self.point, "gpx")
        let elements = ["<wpt", "<rte>", "<trk>"].map { output.split(separator: $0).count - 1 }
        #expect(elements == [2, 1, 1])
        #expect(output.split(separator: "<trk>").last?.contains(#/<wpt|<rte>/#) == false)
        #expect(output.split(separator: "<rte>").last?.contains("<wpt") == false)
    }

    @Test(arguments: [[], ["--merge"]])
    func `waypoints of a file after a track file precede the track`(
        _ options: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ content: String) throws -> String {
            try folder.file(name, Array("\(Self.start)\(content)</gpx>".utf8))
        }
        let time = "<time>2026-03-21T12:00:00Z</time>"
        let track = try file(
            "t.gpx", #"<trk><trkseg><trkpt lat="1" lon="2">\#(time)</trkpt></trkseg></trk>"#)
        let places = try file("p.gpx", Self.places)
        let run = try await CommandRun(
            words: ["convert", track, places, "--to", "gpx"] + options)
        #expect(try await run.messages() == [])
        let lines = try await run.lines().filter { $0.contains(#/^<(wpt|rte|trk)[ >]/#) }
        #expect(lines.map { $0.prefix(4) } == ["<wpt", "<wpt", "<rte", "<trk"])
    }

    @Test func `waypoints of standard input that follow a track are reported`() async throws {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ content: String) throws -> String {
            try folder.file(name, Array("\(Self.start)\(content)</gpx>".utf8))
        }
        let track = try file("t.gpx", Self.track)
        let places = try file("p.gpx", Self.places)
        let late = try await CommandRun(
            words: ["convert", track, "-", "--to", "gpx"], input: places)
        #expect(try await late.message()?.contains("3 waypoints and routes of") == true)
        let early = try await CommandRun(
            words: ["convert", "-", track, "--to", "gpx"], input: places)
        #expect(try await early.messages() == [])
        #expect(try await early.lines().count { $0.hasPrefix("<wpt") } == 2)
        let kml = try await CommandRun(words: ["convert", track, places, "--to", "kml"])
        #expect(try await kml.messages() == [])
    }

    @Test func `a bad waypoint is reported with its line`() async throws {
        let run = try await run("\n<wpt lat=\"95\" lon=\"1\"/>", ["convert", "$0", "--to", "gpx"])
        let message = try await run.message()
        #expect(message?.contains("w.gpx: 1 of 1 positions cannot be read") == true)
        #expect(await run.status() == 1)
    }

    @Test func `a file without points is reported`() async throws {
        let run = try await run("", ["monitor", "$0", "-f", "text"])
        #expect(try await run.message(with: "contains no position (it is GPX)") != nil)
        #expect(await run.status() == 3)
    }

    @Test(arguments: [point, #"<trk><trkseg><trkpt lat="48" lon="11"/></trkseg></trk>"#])
    func `doctor names the format`(_ content: String) async throws {
        let run = try await run(content, ["doctor", "$0"])
        #expect(
            try await run.line(with: "is a track file (GPX), not the output of a receiver")
                != nil)
        #expect(await run.status() == 25)
    }
}
