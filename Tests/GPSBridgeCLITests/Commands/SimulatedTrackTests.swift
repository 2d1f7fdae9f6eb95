// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Glibc
import Testing

/// The option `--track` of `gpsbridge simulate`.
@Suite(.timeLimit(.generous))
struct SimulatedTrackTests {
    /// Returns the true positions of a simulation that follows a track, one line per epoch, and its messages.
    private func follow(
        _ track: String, _ words: [String] = [], count: Int
    ) async throws -> (lines: [Substring], messages: [String]) {
        let folder = try TemporaryFolder()
        let words =
            ["simulate", "--track", track, "-n", "\(count)", "--accelerate", "1000", "--truth"]
            + [folder.path("truth")] + words
        let run = try await CommandRun(words: words)
        let messages = try await run.messages()
        #expect(await run.status() == 0, "\(messages)")
        let text = String(decoding: try folder.bytes("truth"), as: UTF8.self)
        return (text.split(separator: "\n"), messages)
    }

    @Test func `simulate follows a GPX file whose first points have no time`() async throws {
        let folder = try TemporaryFolder()
        // GGA has no date.
        let dateless = ScriptedReceiver.epoch(0).split(separator: 0x0A)[1] + [0x0A]
        let bytes = dateless + (1..<10).flatMap { ScriptedReceiver.epoch($0) }
        let recording = try folder.file("a.nmea", Array(bytes))
        let track = folder.path("a.gpx")
        let convert = try await CommandRun(words: ["convert", recording, "-o", track])
        #expect(await convert.status() == 0)
        let gpx = String(decoding: try folder.bytes("a.gpx"), as: UTF8.self)
        #expect(
            gpx.split(separator: "\n").contains { $0.contains("<trkpt") && !$0.contains("<time>") })
        #expect(try await follow(track, count: 5).lines.count == 5)
    }

    @Test(arguments: ["kml", "geojson", "csv", "json"])
    func `simulate follows every format that convert reads`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let recording = try folder.file("a.nmea", (0..<10).flatMap { ScriptedReceiver.epoch($0) })
        let track = folder.path("track")
        let words = ["convert", recording, "--to", format, "-o", track]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let (lines, _) = try await follow(track, count: 5)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.contains("\"lat\":48.2") }, "\(lines)")
    }

    @Test func `a route without times is followed at 10 m/s, which is reported`()
        async throws
    {
        let folder = try TemporaryFolder()
        let gpx = """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><rte>
            <rtept lat="48" lon="16"/><rtept lat="48.01" lon="16"/></rte></gpx>
            """
        let track = try folder.file("route.gpx", Array(gpx.utf8))
        let (lines, messages) = try await follow(track, count: 60)
        let advice = "so the receiver follows it at 10 m/s: use --speed for another speed"
        #expect(messages.contains { $0.hasSuffix(advice) })
        #expect(lines[30].contains("\"speed\":10"), "\(lines[30])")
    }

    @Test func `the first known altitude is used from the beginning`() async throws {
        let folder = try TemporaryFolder()
        // RMC has no altitude.
        let flat = ScriptedReceiver.epoch(0).split(separator: 0x0A)[0] + [0x0A]
        let bytes = flat + (1..<10).flatMap { ScriptedReceiver.epoch($0) }
        let track = try folder.file("a.nmea", Array(bytes))
        let (lines, _) = try await follow(track, count: 5)
        #expect(lines.allSatisfy { $0.contains("\"alt\":171") }, "\(lines)")
    }

    @Test(arguments: ["gpx", "kml", "nmea"])
    func `a missing altitude is interpolated between its neighbours`(
        _ format: String
    ) async throws {
        let folder = try TemporaryFolder()
        // NMEA needs two epochs to become three-dimensional again.
        let heights = [0: "100", 4: "180", 5: "200", 6: "220", 7: "240"]
        let points = (0..<8).map { second in
            let height = heights[second].map { "<ele>\($0)</ele>" } ?? ""
            let time = "<time>2026-03-21T12:00:0\(second)Z</time>"
            return "<trkpt lat=\"48.\(second)\" lon=\"16\">\(height)\(time)</trkpt>"
        }
        let head = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
        let gpx = "\(head)\(points.joined())</trkseg></trk></gpx>"
        var track = try folder.file("a.gpx", Array(gpx.utf8))
        if format != "gpx" {
            let other = folder.path("a.\(format)")
            let run = try await CommandRun(words: ["convert", track, "-o", other])
            #expect(await run.status() == 0)
            track = other
        }
        let (lines, _) = try await follow(track, count: 5)
        let altitudes = lines.compactMap { $0.firstMatch(of: #/"alt":([0-9.]+)/#)?.1 }
        #expect(altitudes == ["100.0", "120.0", "140.0", "160.0", "180.0"], "\(lines)")
    }

    @Test func `lines without times are followed at 10 m/s, or at a given speed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let recording = try folder.file(
            "a.nmea",
            (0..<10).flatMap { ScriptedReceiver.epoch($0, latitude: 48 + Double($0) / 100) }
        )
        let track = folder.path("b.geojson-lines")
        let words = ["convert", recording, "--to", "geojson-lines", "-o", track]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let (lines, messages) = try await follow(track, count: 30)
        let advice = "so the receiver follows it at 10 m/s: use --speed for another speed"
        #expect(messages.contains { $0.hasSuffix(advice) })
        #expect(lines[20].contains("\"speed\":10"), "\(lines[20])")
        let (fast, _) = try await follow(track, ["--speed", "25"], count: 30)
        #expect(fast[20].contains("\"speed\":25"), "\(fast[20])")
    }

    @Test func `a missing folder of --truth is reported`() async throws {
        let folder = try TemporaryFolder()
        try await CommandRun.expectFailure(
            ["simulate", "--truth", folder.path("none/x")], status: 1, "create its folder first")
    }

    @Test(arguments: ["1", "3", "10"])
    func `epochs fall on the second or a whole fraction of it, and none is sent after its time`(
        _ rate: String
    ) async throws {
        let folder = try TemporaryFolder()
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let started = try #require(
            UTCTime(unixNanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)))
        let run = try await CommandRun(
            words: ["simulate", "-r", rate, "-n", "1", "--truth", folder.path("truth")])
        #expect(await run.status() == 0)
        let text = String(decoding: try folder.bytes("truth"), as: UTF8.self)
        let time = try #require(text.firstMatch(of: #/"time":"([^"]*)"/#)?.1)
        // The texts have milliseconds, so a time later in the same millisecond has the same text.
        #expect(String(time) >= started.description)
        let ends = ["1": [".000Z"], "3": [".000Z", ".333Z", ".666Z"]][rate] ?? ["00Z"]
        #expect(ends.contains { time.hasSuffix($0) }, "\(time)")
    }
}
