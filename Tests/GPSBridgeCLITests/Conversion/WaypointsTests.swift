// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

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
            message?.contains("has waypoints, but no track and no route") == true,
            "\(message ?? "")")
        #expect(await run.status() == 3)
    }

    @Test func `a file without points is reported`() async throws {
        let run = try await run("", ["monitor", "$0", "-f", "text"])
        #expect(try await run.message(with: "has no position (it is GPX)") != nil)
        #expect(await run.status() == 3)
    }

    @Test(arguments: [point, #"<trk><trkseg><trkpt lat="48" lon="11"/></trkseg></trk>"#])
    func `doctor names the format`(_ content: String) async throws {
        let run = try await run(content, ["doctor", "$0"])
        #expect(
            try await run.line(with: "is GPX, a file of tracks, not the output of a receiver")
                != nil)
        #expect(await run.status() == 25)
    }
}
