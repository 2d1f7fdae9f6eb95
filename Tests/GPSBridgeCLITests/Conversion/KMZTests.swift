// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// KMZ, a zip archive with KML.
@Suite(.timeLimit(.generous))
struct KMZTests {
    private static let hasUnzip = access("/usr/bin/unzip", X_OK) == 0
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        capture = try folder.file("drive.nmea", (0..<3000).flatMap { ScriptedReceiver.epoch($0) })
    }

    @Test(.enabled(if: hasUnzip, "unzip is not installed"), arguments: [[], ["--to", "kml"]])
    func `unzip finds the KML in an archive without errors`(_ words: [String]) async throws {
        let path = folder.path("Drive.KMZ")
        for output in [path, folder.path("drive.kml")] {
            let run = try await CommandRun(words: ["convert", capture, "-o", output] + words)
            #expect(try await run.messages() == [])
            #expect(await run.status() == 0)
        }
        let check = try await CommandRun("/usr/bin/unzip", words: ["-tq", path])
        #expect(try await check.lines() == ["No errors detected in compressed data of \(path)."])
        #expect(await check.status() == 0)
        let content = try await CommandRun("/usr/bin/unzip", words: ["-p", path, "doc.kml"])
        let plain = try await CommandRun("/bin/cat", words: [folder.path("drive.kml")])
        #expect(try await content.lines() == plain.lines())
        #expect(readFile(path).count < readFile(folder.path("drive.kml")).count / 4)
    }

    @Test func `an archive is read, by monitor too`() async throws {
        let path = folder.path("a.kmz")
        #expect(await (try CommandRun(words: ["convert", capture, "-o", path])).status() == 0)
        let run = try await CommandRun(words: ["convert", path, "--to", "csv"])
        #expect(try await run.lines().count == 3001)
        #expect(await run.status() == 0)
        let replay = try await CommandRun(words: ["monitor", path, "--speed", "1e6", "-f", "csv"])
        #expect(try await replay.lines().count == 3001)
    }

    @Test func `without a fix there is no file`() async throws {
        let path = folder.path("a.kmz")
        let run = try await CommandRun(
            words: ["convert", capture, "-o", path, "--after", "2030-01-01"])
        #expect(await run.status() == 3)
        #expect(access(path, F_OK) != 0)
    }

    @Test(arguments: [
        (["convert", "x.nmea", "-o", "x.kmz", "--to", "gpx"], "'.kmz' files contain KML, not gpx"),
        (["convert", "x.nmea", "-o", "x.kmz.gz"], "'.kmz' files are already compressed"),
        (["record", "simulated", "-o", "x.kmz"], "'.kmz' files cannot be written: end the name"),
        (
            ["record", "simulated", "-o", "x.kmz", "--format", "gpx"],
            "'.kmz' files cannot be written"
        ),
    ])
    func `a format other than KML is a usage error`(_ words: [String], _ message: String)
        async throws
    {
        try await CommandRun.expectFailure(words, status: 2, message)
    }
}
