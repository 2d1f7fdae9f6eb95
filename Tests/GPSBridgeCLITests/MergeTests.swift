// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Glibc
import Testing

/// `convert --merge`.
@Suite(.timeLimit(.generous))
struct MergeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func nmea(_ name: String, _ seconds: some Sequence<Int>, _ latitude: Double = 48)
        throws -> String
    {
        try folder.file(
            name, seconds.flatMap { ScriptedReceiver.epoch($0, latitude: latitude) })
    }

    private func csv(_ name: String, _ rows: [String]) throws -> String {
        try folder.file(name, Array("time,lat,lon\n\(rows.joined(separator: "\n"))\n".utf8))
    }

    private func time(_ second: Int) -> String {
        let parts = [second / 60, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        return "2026-03-21T12:\(parts[0]):\(parts[1])"
    }

    /// Converts files to CSV. Returns the rows.
    private func merged(_ files: [String], _ words: [String] = []) async throws -> [[Substring]] {
        let run = try await CommandRun(
            words: ["convert", "--merge", "--to", "csv"] + words + files)
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        return try await run.lines().dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
    }

    private func expectTimes(_ rows: [[Substring]], _ seconds: some Sequence<Int>) {
        #expect(rows.map { $0[0].prefix(19) } == seconds.map { Substring(time($0)) })
    }

    @Test func `fixes of overlapping files alternate by time, under the names of both`()
        async throws
    {
        let a = try nmea("a.nmea", [0, 2, 4, 6], 48)
        let b = try nmea("b.nmea", [3, 5, 7, 9], 49)
        let rows = try await merged([a, b])
        expectTimes(rows, [0, 2, 3, 4, 5, 6, 7, 9])
        #expect(rows.map { $0[1].prefix(2) } == ["48", "48", "49", "48", "49", "48", "49", "49"])
        #expect(rows.allSatisfy { $0.last == "a.nmea + b.nmea" })
        let run = try await CommandRun(words: ["convert", "--merge", "--to", "gpx", a, b])
        let text = try await run.lines().joined()
        #expect(text.split(separator: "<trk>").count == 2)
        #expect(text.split(separator: "<trkseg>").count == 2)
    }

    @Test func `files that begin and end at the same times are one track`() async throws {
        let rows = try await merged([
            try nmea("a.nmea", 0..<3, 48), try nmea("b.nmea", 0..<3, 49),
        ])
        #expect(rows.count == 6)
        #expect(rows.allSatisfy { $0.last == "a.nmea + b.nmea" })
        let copies = try await merged([
            try nmea("c.nmea", 0..<3, 48), try nmea("d.nmea", 0..<3, 48),
        ])
        expectTimes(copies, 0..<3)
        #expect(copies.allSatisfy { $0.last == "c.nmea + d.nmea" })
    }

    @Test func `files that do not overlap stay separate tracks, in order of time`() async throws {
        let late = try nmea("late.nmea", 600..<603)
        let early = try nmea("early.nmea", 0..<3)
        let rows = try await merged([late, early])
        expectTimes(rows, [0, 1, 2, 600, 601, 602])
        let run = try await CommandRun(
            words: ["convert", "--merge", "--to", "gpx", late, early])
        let text = try await run.lines().joined()
        let tracks = text.split(separator: "<trk>").dropFirst()
        #expect(tracks.map { $0.prefix(20).contains("early.nmea") } == [true, false])
        #expect(tracks.allSatisfy { $0.split(separator: "<trkpt").count == 4 })
    }

    @Test(arguments: ["gpx", "json", "kml", "fit", "igc", "geojson"])
    func `a fix that is also in a file of another format is written once`(
        _ ending: String
    ) async throws {
        let a = try nmea("a.nmea", 0..<10)
        let later = try nmea("b.nmea", 5..<15)
        let b = folder.path("b.\(ending)")
        let run = try await CommandRun(words: ["convert", later, "-o", b])
        #expect(await run.status() == 0)
        let rows = try await merged([a, b])
        expectTimes(rows, 0..<15)
        expectTimes(try await merged([b, a, b, a]), 0..<15)
    }

    @Test func `fixes of different receivers at the same time are both written`() async throws {
        let rows = try await merged([
            try nmea("a.nmea", 0..<3, 48), try nmea("b.nmea", 0..<3, 48.000_01),
        ])
        expectTimes(rows, [0, 0, 1, 1, 2, 2])
    }

    @Test func `a file with several fixes of one time keeps them`() async throws {
        let rows = (0..<4).map { _ in "\(time(1))Z,48,16" }
        expectTimes(try await merged([try csv("a.csv", rows)]), [1, 1, 1, 1])
    }

    @Test func `simulated fixes stay simulated, and do not join other tracks`() async throws {
        let real = try nmea("a.nmea", [0, 2, 4])
        let simulated = try folder.file(
            "b.nmea",
            [1, 3, 5].flatMap { ScriptedReceiver.epoch($0, latitude: 49, quality: .simulated) })
        let rows = try await merged([real, simulated])
        expectTimes(rows, 0..<6)
        #expect(rows.map { $0.contains("simulated") } == [false, true, false, true, false, true])
        #expect(rows.allSatisfy { $0.last == ($0.contains("simulated") ? "b.nmea" : "a.nmea") })
    }

    @Test func `fixes without a date are counted`() async throws {
        let undated = try csv("u.csv", [",48,16", "\(time(1))Z,48,16", ",48,17"])
        let run = try await CommandRun(words: ["convert", "--merge", "--to", "csv", undated])
        #expect(
            try await run.messages() == [
                "gpsbridge: 2 fixes of \(undated) have no date and are not written: --merge orders fixes by time; convert the file without --merge to keep them"
            ])
        #expect(try await run.lines().count == 2)
        #expect(await run.status() == 0)
    }

    @Test func `a file that is not in order is an error, and can be divided`() async throws {
        let bad = try csv("bad.csv", [5, 6, 1, 2].map { "\(time($0))Z,48,16" })
        let good = try nmea("good.nmea", 3..<5)
        let output = folder.path("all.csv")
        let run = try await CommandRun(words: ["convert", "--merge", bad, good, "-o", output])
        let message = try await run.message()
        #expect(message?.contains("bad.csv is not in order of time") == true, "\(message ?? "")")
        #expect(await run.status() == 1)
        #expect(access(output, F_OK) != 0)
        let parts = folder.path("part.csv")
        let split = try await CommandRun(
            words: ["convert", bad, "--split", "gap=1h", "-o", parts])
        #expect(await split.status() == 0)
        let rows = try await merged(
            ["part-001.csv", "part-002.csv"].map { folder.path($0) } + [good])
        expectTimes(rows, 1..<7)
    }

    @Test func `waypoints of every file precede the tracks`() async throws {
        let track = try nmea("a.nmea", 0..<3)
        let places = #"<gpx version="1.1"><wpt lat="48" lon="16"><name>A</name></wpt></gpx>"#
        let file = try folder.file("w.gpx", Array(places.utf8))
        let run = try await CommandRun(words: ["convert", "--merge", track, file, "--to", "gpx"])
        #expect(try await run.messages() == [])
        let text = try await run.lines().joined()
        #expect(text.contains("<wpt lat="))
        #expect(text.split(separator: "<trkpt").count == 4)
    }

    @Test func `a row that cannot be read is left out, and the others are merged`() async throws {
        let bad = try csv("bad.csv", ["\(time(0))Z,48,16", "\(time(1))Z,148,16"])
        let run = try await CommandRun(
            words: ["convert", "--merge", bad, try nmea("a.nmea", 2..<5), "--to", "csv"])
        let message = try await run.message()
        #expect(message?.contains("1 point with an impossible position (line 3: \"148.0") == true)
        #expect(try await run.lines().count == 5)
        #expect(await run.status() == 0)
    }

    @Test func `a merged track is divided`() async throws {
        let files = [try nmea("a.nmea", [0, 1, 1800]), try nmea("b.nmea", [2, 1801], 49)]
        let run = try await CommandRun(
            words: ["convert", "--merge", "--split", "gap=10min", "-o", folder.path("x.csv")]
                + files)
        #expect(try await run.messages() == [])
        expectTimes(try await merged([folder.path("x-001.csv")]), 0..<3)
        expectTimes(try await merged([folder.path("x-002.csv")]), 1800..<1802)
    }
}

/// Distance, times, speeds and heights of a track.
@Suite(.timeLimit(.generous))
struct SummaryTests {
    /// A minute eastwards on the equator at one millidegree of longitude per second, over a hill.
    private var recording: [UInt8] {
        (0...60).flatMap { ScriptedReceiver.epoch($0, latitude: 0, longitude: Double($0) / 1000) }
    }

    @Test func `a track's summary is printed as text`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", recording)
        let run = try await CommandRun(words: ["convert", path, "--summary"])
        let lines = try await run.lines()
        #expect(lines.contains("fixes          61"), "\(lines)")
        #expect(lines.contains("duration       0:01:00"))
        #expect(lines.contains("distance       6.679 km"))
        #expect(lines.contains("maximum speed  18.5 km/h"))
        #expect(await run.status() == 0)
    }

    @Test(arguments: [true, false], [[], ["--merge"]])
    func `the way between segments is not counted as distance`(hasTimes: Bool, _ words: [String])
        async throws
    {
        guard hasTimes || words.isEmpty else { return }
        let folder = try TemporaryFolder()
        func point(_ latitude: String, _ second: Int) -> String {
            let time = hasTimes ? "<time>2026-03-21T12:00:\(second)Z</time>" : ""
            return "<trkpt lat=\"\(latitude)\" lon=\"11\">\(time)</trkpt>"
        }
        let path = try folder.file(
            "a.gpx",
            Array(
                ("<gpx><trk><trkseg>" + point("48", 10) + point("48.001", 20) + "</trkseg><trkseg>"
                    + point("49", 30) + point("49.001", 40) + "</trkseg></trk></gpx>").utf8))
        let run = try await CommandRun(words: ["convert", path, "--summary"] + words)
        #expect(try await run.lines().contains("distance       222 m"))
    }

    @Test func `recordings in reverse order have the same summary, and overlaps count once`()
        async throws
    {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ seconds: ClosedRange<Int>) throws -> String {
            try folder.file(
                name,
                seconds.flatMap {
                    ScriptedReceiver.epoch($0, latitude: 0, longitude: Double($0) * 5e-5)
                })
        }
        let (first, second) = (try file("a.nmea", 0...299), try file("b.nmea", 300...599))
        let whole = try file("c.nmea", 0...599)
        for (words, isRepeated) in [
            ([first, second], false), ([second, first], false), ([whole, second, first], true),
        ] {
            let run = try await CommandRun(words: ["convert"] + words + ["--summary"])
            let lines = try await run.lines()
            #expect(lines.contains("fixes          600"), "\(lines)")
            #expect(lines.contains("duration       0:09:59"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("distance       3.") }, "\(lines)")
            let leftOut = "left out       600 fixes in a period that an earlier part covers"
            #expect(lines.contains(leftOut) == isRepeated)
            #expect(await run.status() == 0)
        }
    }

    @Test func `the summary is JSON on request, also with a file, a plot and a selected time`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", recording)
        let words = [
            "convert", path, "--summary=json", "-o", folder.path("a.gpx"), "--plot",
            folder.path("a.svg"), "--after", "2026-03-21T12:00:30Z",
        ]
        let run = try await CommandRun(words: words)
        let line = try #require(try await run.line())
        #expect(line.hasPrefix("{\"fixes\":31,\"start\":\"2026-03-21T12:00:30.000Z\","), "\(line)")
        #expect(line.contains("\"duration\":30.000,\"moving\":30.000,\"distance\":3339."))
        #expect(await run.status() == 0)
        #expect(try folder.size("a.gpx") > 0 && folder.size("a.svg") > 0)
    }

    @Test func `distances below a kilometre or a mile are in metres or feet`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", (0...60).flatMap { ScriptedReceiver.epoch($0) })
        for (units, text) in [
            ("metric", "distance       309 m"), ("imperial", "distance       1013 ft"),
        ] {
            let run = try await CommandRun(words: ["convert", path, "--summary", "--units", units])
            let lines = try await run.lines()
            #expect(lines.contains(text), "\(lines)")
            #expect(lines.contains("at rest        0:00:00"), "\(lines)")
        }
        let json = try await CommandRun(words: ["convert", path, "--summary=json"])
        #expect(try await json.line()?.hasSuffix(",\"atRest\":0.000,\"stops\":0}") == true)
    }

    @Test func `a summary and a format cannot both be written to standard output`() async throws {
        try await CommandRun.expectFailure(
            ["convert", "a", "--summary", "--to", "gpx"], status: 2, "add -o FILE")
    }

    @Test(arguments: [0.0, 48, -71, 88.9])
    func `short steps are as long as geodesics, within a millimetre`(_ latitude: Double) {
        for (north, east) in [(0.0, 0.009), (0.009, 0), (0.005, -0.008), (0.0001, 0.0001)] {
            let a = Coordinate(latitude: latitude, longitude: 16)
            let b = Coordinate(latitude: latitude + north, longitude: 16 + east)
            var summary = TrackSummary()
            for coordinate in [a, b] {
                var fix = Fix()
                fix.coordinate = coordinate
                summary.add(fix)
            }
            let metres = b.distance(from: a)
            #expect(abs(summary.distance - (metres < 3 ? 0 : metres)) < 0.001)
        }
    }

    /// Returns the summary of a track with these altitudes, one fix per second.
    private func summary(of heights: [Double], accuracy: Double? = nil) -> TrackSummary {
        var summary = TrackSummary()
        for (second, height) in heights.enumerated() {
            var fix = Fix()
            fix.coordinate = Coordinate(latitude: 48 + Double(second) * 1e-4, longitude: 16)
            fix.altitude = height
            fix.accuracy.vertical = accuracy
            summary.add(fix)
        }
        return summary
    }

    @Test func `climb and descent are from valley to summit, without noise`() {
        // 100 m up and 60 m down, in steps of 5 m with 4 m up and down on each.
        let up = (0...20).flatMap { [Double($0) * 5, Double($0) * 5 + 4] }
        let down = (0...12).flatMap { [104 - Double($0) * 5, 100 - Double($0) * 5] }
        let way = summary(of: up + down)
        #expect(way.climb == 104)
        #expect(way.descent == 64)
    }

    @Test func `the noise threshold is the receiver's accuracy`() {
        let waves = (0..<100).map { $0 % 10 < 5 ? 171.0 : 185 }
        #expect(summary(of: waves).climb > 100)
        #expect(summary(of: waves, accuracy: 8).climb == 0)
    }

    @Test func `a receiver at rest has no distance, and noise is not climb`() {
        var summary = TrackSummary()
        for second in 0..<100 {
            var fix = Fix()
            let wave = Double(second % 2)
            fix.coordinate = Coordinate(latitude: 48 + wave * 1e-5, longitude: 16)
            fix.altitude = 171 + 3 * wave
            fix.speed = 0.1
            summary.add(fix)
        }
        #expect(summary.distance == 0)
        #expect(summary.climb == 0 && summary.descent == 0)
        #expect(summary.fixCount == 100)
    }
}
