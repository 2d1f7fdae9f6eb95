// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// Compressed files of `convert` and `record`, read by the programs gzip and zstd.
@Suite(.timeLimit(.generous))
struct CompressedOutputTests {
    private static let programs = ["gz": "/bin/gzip", "zst": "/usr/bin/zstd"]
    private static let names: [String] =
        ["json", "gpx", "kml", "geojson", "geojsons", "csv", "nmea"].flatMap { format in
            programs.filter { access($0.value, X_OK) == 0 }.keys.map { "a.\(format).\($0)" }
        }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func capture(_ epochs: Range<Int>) throws -> String {
        try folder.file("capture", epochs.flatMap { ScriptedReceiver.epoch($0) })
    }

    /// Returns the content of a compressed file, decompressed by another program.
    private func lines(_ path: String) async throws -> [String] {
        let run = try await CompressedFile(path: path).decompress()
        let lines = try await run.lines()
        #expect(await run.status() == 0)
        return lines
    }

    @Test(arguments: names)
    func `compressed output has the same content, and can be read again`(
        _ name: String
    ) async throws {
        let capture = try capture(0..<300)
        let path = folder.path(name)
        let plain = folder.path(name.split(separator: ".").dropLast().joined(separator: "."))
        for output in [path, plain] {
            let run = try await CommandRun(words: ["convert", capture, "-o", output])
            #expect(await run.status() == 0)
        }
        let text = try await CommandRun("/bin/cat", words: [plain]).lines()
        #expect(try await lines(path) == text)
        #expect(readFile(path).count < readFile(plain).count)
        let back = try await CommandRun(words: ["convert", path, "--to", "csv"])
        #expect(try await back.lines().count == 301)
        #expect(await back.status() == 0)
    }

    @Test(.enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"))
    func `output is compressed with --to and on several cores, too`()
        async throws
    {
        let capture = try capture(0..<30_000)
        let path = folder.path("a.gz")
        let run = try await CommandRun(
            words: ["convert", capture, "--to", "csv", "-j", "2", "-o", path])
        #expect(await run.status() == 0)
        #expect(try await lines(path).count == 30_001)
    }

    @Test(
        .enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"),
        arguments: [("a.gpx.gz", "</trkpt>"), ("a.csv.gz", ",3D,"), ("a.nmea.gz", "GGA,")])
    func `a gzip recording is complete after kill -9, and is continued`(
        _ name: String, _ mark: String
    ) async throws {
        let tty = folder.path("gps")
        let path = folder.path(name)
        for round in 1...3 {
            let receiver = try ScriptedReceiver(link: tty)
            let run = try await CommandRun(words: ["record", tty, "-b", "9600", "-o", path])
            let message = try await run.message()
            let words = round == 1 ? " to \(path)" : ", continuing \(path), which ends 20"
            #expect(message?.contains(words) == true)
            for second in 0..<4 { await receiver.sendEpoch(round * 10 + second) }
            try await waitForFile(path) { _ in
                try await CompressedFile(path: path).has(round * 3, mark)
            }
            run.send(SIGKILL)
            #expect(await run.status() == -1)
            #expect(try await lines(path).count { $0.contains(mark) } >= round * 3)
            receiver.unplug()
        }
        if name.contains("gpx") { #expect(try await lines(path).last == "</gpx>") }
        // The next run repairs an end that was cut off.
        let whole = readFile(path)
        _ = try folder.file(name, Array(whole.dropLast(9)))
        let more = try await CommandRun(words: ["record", try capture(100..<110), "-o", path])
        #expect(await more.status() == 0)
        #expect(try await lines(path).count { $0.contains(mark) } >= 15)
    }

    @Test(
        .enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"),
        arguments: ["csv", "gpx", "kml"], [[], ["--merge"]])
    func `the part of a route before the end of compressed data that is cut off is converted`(
        _ format: String, _ words: [String]
    ) async throws {
        let points = (0..<300).map { index in
            "<rtept lat=\"48.\(1000 + index)\" lon=\"16.\(9000 - 7 * index)\">"
                + "<time>2026-03-21T12:\(10 + index / 50):\(10 + index % 50)Z</time></rtept>\n"
        }
        let text = "<gpx><rte>\(points.joined())</rte></gpx>"
        let whole = try folder.file("route.gpx", Array(text.utf8))
        let cut = folder.path("cut.gpx.gz")
        let script = "gzip -c '\(whole)' | head -c -20 > '\(cut)'"
        #expect(await (try await CommandRun("/bin/sh", words: ["-c", script])).status() == 0)
        let run = try await CommandRun(words: ["convert", cut, "--to", format] + words)
        let lines = try await run.lines()
        let mark = ["csv": ",48.1", "gpx": "<rtept ", "kml": "<Point>"][format]
        let count = lines.count { $0.contains(mark ?? "?") }
        #expect(100...300 ~= count, "\(count)")
        #expect(
            try await run.messages() == [
                "gpsbridge: \(cut) is cut off: the end of the compressed data is missing"
            ])
        #expect(await run.status() == 1)
    }

    @Test(.enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"))
    func `the last row of a table that is cut off within compressed data is not converted`()
        async throws
    {
        let rows = (0..<300).map { "48.\(1000 + $0),16.\(9000 - 7 * $0)\n" }
        let whole = try folder.file("table.csv", Array("lat,lon\n\(rows.joined())".utf8))
        let cut = folder.path("cut.csv.gz")
        let script = "gzip -c '\(whole)' | head -c -20 > '\(cut)'"
        #expect(await (try await CommandRun("/bin/sh", words: ["-c", script])).status() == 0)
        let run = try await CommandRun(words: ["convert", cut, "--to", "csv"])
        let lines = try await run.lines().dropFirst()
        #expect(100..<300 ~= lines.count)
        for (index, line) in lines.enumerated() {
            #expect(line.hasPrefix(",48.\(1000 + index)00000,16.\(9000 - 7 * index)00000,"))
        }
        #expect(await run.status() == 1)
    }

    @Test func `a file that is not gzip is not changed`() async throws {
        let path = try folder.file("a.gpx.gz", Array("mine\n".utf8))
        try await CommandRun.expectFailure(
            ["record", try capture(0..<3), "-o", path], status: 1,
            "it exists and is not a recording")
        #expect(readFile(path) == Array("mine\n".utf8))
    }
}

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
