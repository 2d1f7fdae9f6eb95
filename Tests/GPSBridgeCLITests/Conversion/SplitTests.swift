// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// `convert --split`.
@Suite(.timeLimit(.generous))
struct SplitTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        let epochs = [0, 1, 2, 1800, 1801].flatMap { ScriptedReceiver.epoch($0) }
        capture = try folder.file("drive.nmea", epochs)
    }

    private func names() -> [String] {
        ["csv", "fit", "gpx", "csv.gz"].flatMap { ending in
            (0...3).map { "walk-00\($0).\(ending)" } + [
                "walk.\(ending)", "walk-20260321.\(ending)",
            ]
        }.filter { access(folder.path($0), F_OK) == 0 }
    }

    private func rows(_ name: String) async throws -> Int {
        let run = try await CommandRun(words: ["convert", folder.path(name), "--to", "csv"])
        #expect(try await run.messages() == [])
        return try await run.lines().count - 1
    }

    @Test(arguments: ["csv", "fit", "csv.gz"])
    func `the files have numbers, and together all fixes`(_ ending: String) async throws {
        let output = folder.path("walk.\(ending)")
        let run = try await CommandRun(
            words: ["convert", capture, "-o", output, "--split", "gap=10min"])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        #expect(names() == ["walk-001.\(ending)", "walk-002.\(ending)"])
        #expect(try await rows("walk-001.\(ending)") == 3)
        #expect(try await rows("walk-002.\(ending)") == 2)
    }

    @Test func `a file of a day has its date, and replaces an existing one`() async throws {
        _ = try folder.file("walk-20260321.csv", Array("old".utf8))
        let run = try await CommandRun(
            words: ["convert", capture, "-o", folder.path("walk.csv"), "--split", "day"])
        #expect(await run.status() == 0)
        #expect(names() == ["walk-20260321.csv"])
        #expect(try await rows("walk-20260321.csv") == 5)
    }

    @Test func `waypoints are in the first file`() async throws {
        let places = #"<gpx version="1.1"><wpt lat="48" lon="16"><name>A</name></wpt></gpx>"#
        let file = try folder.file("places.gpx", Array(places.utf8))
        let output = folder.path("walk.gpx")
        let run = try await CommandRun(
            words: ["convert", file, capture, "-o", output, "--split", "day"])
        #expect(await run.status() == 0)
        let text = String(decoding: readFile(folder.path("walk-20260321.gpx")), as: UTF8.self)
        #expect(text.contains("<wpt lat="))
        #expect(text.split(separator: "<trkpt").count == 6)
        let alone = try await CommandRun(words: [
            "convert", file, "-o", output, "--split", "gap=10min",
        ])
        #expect(await alone.status() == 0)
        #expect(names() == ["walk-001.gpx", "walk-20260321.gpx"])
    }

    @Test func `without a fix there is no file`() async throws {
        let output = folder.path("walk.gpx")
        let run = try await CommandRun(
            words: ["convert", capture, "-o", output, "--split", "day", "--after", "2030-01-01"])
        let message = "gpsbridge: \(output) is not written, because it would be empty"
        #expect(try await run.messages().last == message)
        #expect(await run.status() == 3)
        #expect(names() == [])
    }

    @Test func `a recording is not replaced by a file`() async throws {
        let output = folder.path("walk.nmea")
        let source = try folder.file("walk-001.nmea", readFile(capture))
        let run = try await CommandRun(
            words: ["convert", source, "-o", output, "--split", "gap=10min"])
        let reason = "it is the recording itself; give the output another name"
        #expect(try await run.message()?.hasSuffix(reason) == true)
        #expect(await run.status() == 1)
        #expect(readFile(source) == readFile(capture))
    }

    @Test func `--gap also affects the lengths of tracks in a format without segments`()
        async throws
    {
        let run = try await CommandRun(words: [
            "convert", capture, "-o", folder.path("walk.nmea"), "--split", "distance=1km",
            "--gap", "5",
        ])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        #expect(readFile(folder.path("walk-001.nmea")) == readFile(capture))
    }

    @Test func `no files are created beside a device, a pipe or a folder`() async throws {
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for output in ["/dev/null", pipe] {
            try await CommandRun.expectFailure(
                ["convert", capture, "-t", "csv", "-o", output, "--split", "day"], status: 2,
                "\(output) is not a regular file")
        }
        try await CommandRun.expectFailure(
            ["convert", capture, "-t", "csv", "-o", folder.path(""), "--split", "day"], status: 2,
            "is a folder: name a file in it")
        #expect(folder.names.filter { $0.hasPrefix("pipe") } == ["pipe"])
    }

    @Test(arguments: [
        (
            ["--split", "week", "-o", "x.gpx"],
            "not a value for --split: 'week' (expected day, gap=TIME"
        ),
        (["--split", "gap=x", "-o", "x.gpx"], "gap 'x' is not a time"),
        (["--split", "distance=0", "-o", "x.gpx"], "not a length: '0'"),
        (["--split", "distance=1au", "-o", "x.gpx"], "not a length: '1au'"),
        (["--split", "day", "--to", "gpx"], "--split writes several files: add -o FILE"),
    ])
    func `invalid values are usage errors`(_ words: [String], _ message: String) async throws {
        try await CommandRun.expectFailure(["convert", capture] + words, status: 2, message)
    }
}
