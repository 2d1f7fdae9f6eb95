// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Testing

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
