// SPDX-License-Identifier: MIT
import GNSS
import Glibc
import TestSupport
import Testing

/// `gpsbridge simulate --track`.
@Suite(.timeLimit(.generous))
struct SimulatedTrackTests {
    /// The truth of a simulation that follows a track, a line an epoch, and what was said.
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

    @Test func `it follows a GPX file whose first points have no time yet`() async throws {
        let folder = try TemporaryFolder()
        // GGA alone has no date.
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
    func `it follows every format that convert reads`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let recording = try folder.file("a.nmea", (0..<10).flatMap { ScriptedReceiver.epoch($0) })
        let track = folder.path("track")
        let words = ["convert", recording, "--to", format, "-o", track]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let (lines, _) = try await follow(track, count: 5)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.contains("\"lat\":48.2") }, "\(lines)")
    }

    @Test func `a route without times is followed at ten metres a second, which is reported`()
        async throws
    {
        let folder = try TemporaryFolder()
        let gpx = """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><rte>
            <rtept lat="48" lon="16"/><rtept lat="48.01" lon="16"/></rte></gpx>
            """
        let track = try folder.file("route.gpx", Array(gpx.utf8))
        let (lines, messages) = try await follow(track, count: 60)
        #expect(messages.contains { $0.hasSuffix("it is followed at 10 m/s (--speed)") })
        #expect(lines[30].contains("\"speed\":10"), "\(lines[30])")
    }

    @Test func `the altitude at the beginning is the first that is known`() async throws {
        let folder = try TemporaryFolder()
        // RMC alone has no altitude.
        let flat = ScriptedReceiver.epoch(0).split(separator: 0x0A)[0] + [0x0A]
        let bytes = flat + (1..<10).flatMap { ScriptedReceiver.epoch($0) }
        let track = try folder.file("a.nmea", Array(bytes))
        let (lines, _) = try await follow(track, count: 5)
        #expect(lines.allSatisfy { $0.contains("\"alt\":171") }, "\(lines)")
    }

    @Test(arguments: ["1", "10"])
    func `epochs fall on the second, and none is sent after its time`(_ rate: String) async throws {
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
        #expect(String(time) > started.description)
        #expect(time.hasSuffix(rate == "1" ? ".000Z" : "00Z"))
    }
}
