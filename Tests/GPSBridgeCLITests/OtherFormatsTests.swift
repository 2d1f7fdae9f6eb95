// SPDX-License-Identifier: MIT
import GPSTestSupport
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
