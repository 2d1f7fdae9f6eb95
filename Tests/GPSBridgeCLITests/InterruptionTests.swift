// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// The files that remain after interrupted or empty work.
@Suite(.timeLimit(.generous))
struct InterruptionTests {
    /// Calls the body with a pipe that contains some epochs and does not end.
    private func withEndlessRecording(
        in folder: TemporaryFolder, _ body: (String) async throws -> Void
    ) async throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        try await body(path)
    }

    @Test(
        arguments: [(SIGINT, CInt(130)), (SIGTERM, CInt(143)), (SIGHUP, CInt(129))],
        ["a.gpx", "a.kml"])
    func `an interrupted conversion is reported, and leaves no file`(
        _ signal: (CInt, CInt), _ name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let target = folder.path(name)
        try await withEndlessRecording(in: folder) { path in
            let run = try await CommandRun(
                words: ["convert", path, "-o", target, "--plot", folder.path("a.svg")])
            await run.waitUntilOpen(path)
            run.send(signal.0)
            #expect(await run.status() == signal.1)
            let plot = folder.path("a.svg")
            #expect(
                try await run.messages()
                    == ["gpsbridge: interrupted: \(target) and \(plot) are not written"])
        }
        #expect(names(in: folder) == ["pipe"])
    }

    @Test(arguments: [
        (["--plot", "OUT.svg"], "OUT.svg is not written"),
        (["--summary"], "there is no summary"),
        (
            ["--to", "gpx", "--plot", "OUT.svg"],
            "the output is incomplete, and OUT.svg is not"
        ),
    ])
    func `an interruption reports the incomplete output`(_ words: [String], _ expected: String)
        async throws
    {
        let folder = try TemporaryFolder()
        func named(_ text: String) -> String { text.replacing("OUT", with: folder.path("a")) }
        try await withEndlessRecording(in: folder) { path in
            let run = try await CommandRun(words: ["convert", path] + words.map(named))
            await run.waitUntilOpen(path)
            run.send(SIGTERM)
            #expect(await run.status() == 143)
            let message = try await run.message()
            #expect(
                message?.contains("interrupted: \(named(expected))") == true, "\(message ?? "")")
        }
    }

    @Test func `a killed conversion leaves no file`() async throws {
        let folder = try TemporaryFolder()
        try await withEndlessRecording(in: folder) { path in
            let run = try await CommandRun(words: ["convert", path, "-o", folder.path("a.gpx")])
            await run.waitUntilOpen(path)
            run.send(SIGKILL)
            #expect(await run.status() == -1)
        }
        #expect(names(in: folder) == ["pipe"])
    }

    @Test(arguments: ["a.gpx", "a.csv", "a.geojson"])
    func `without a fix, no file is written and an old one is kept`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let junk = try folder.file("junk", Array("no sentence\n".utf8))
        let lost = try folder.file("lost.nmea", ScriptedReceiver.epoch(0, quality: .invalid))
        let target = folder.path(name)
        for input in [junk, lost] {
            let run = try await CommandRun(words: ["convert", input, "-o", target])
            #expect(try await run.message(with: "\(target) is not written") != nil)
            #expect(await run.status() == 3)
            #expect(access(target, F_OK) != 0)
        }
        _ = try folder.file(name, Array("old".utf8))
        #expect(await (try await CommandRun(words: ["convert", junk, "-o", target])).status() == 3)
        #expect(try folder.bytes(name) == Array("old".utf8))
    }

    @Test func `a summary without a fix has the exit status for that`() async throws {
        let folder = try TemporaryFolder()
        let lost = try folder.file("lost.nmea", ScriptedReceiver.epoch(0, quality: .invalid))
        let run = try await CommandRun(words: ["convert", lost, "--summary"])
        #expect(try await run.lines().first == "fixes          0")
        #expect(try await run.message()?.contains("no fix is in the summary") == true)
        #expect(await run.status() == 3)
    }

    @Test func `an interruption keeps the old file`() async throws {
        let folder = try TemporaryFolder()
        let target = try folder.file("a.gpx", Array("old".utf8))
        try await withEndlessRecording(in: folder) { path in
            let run = try await CommandRun(words: ["convert", path, "-o", target])
            await run.waitUntilOpen(path)
            run.send(SIGTERM)
            #expect(await run.status() == 143)
        }
        #expect(try folder.bytes("a.gpx") == Array("old".utf8))
    }

    @Test func `interrupted output to standard output has the exit status of the signal`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await withEndlessRecording(in: folder) { path in
            let run = try await CommandRun(words: ["convert", path, "--to", "csv"])
            await run.waitUntilOpen(path)
            run.send(SIGTERM)
            #expect(await run.status() == 143)
            #expect(
                try await run.message() == "gpsbridge: interrupted: the output is incomplete")
        }
    }

    @Test func `a file that replaces another one by a link keeps its mode, and the link`()
        async throws
    {
        let folder = try TemporaryFolder()
        let input = try folder.file("a.nmea", ScriptedReceiver.epoch(0))
        let real = try folder.file("real.gpx", [])
        chmod(real, 0o640)
        symlink("real.gpx", folder.path("link.gpx"))
        let run = try await CommandRun(words: ["convert", input, "-o", folder.path("link.gpx")])
        #expect(await run.status() == 0)
        var status = stat()
        #expect(lstat(folder.path("link.gpx"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(real, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try folder.size("real.gpx") > 100)
    }

    @Test(arguments: ["a.gpx", "a.nmea", "a.gpx.zst"])
    func `a recording without data leaves no file`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let receiver = try ScriptedReceiver()
        let holder = try await SerialSource(receiver.path).open()
        defer { holder.close() }
        let busy = try await CommandRun(
            words: ["record", receiver.path, "-o", folder.path(name)])
        #expect(await busy.status() == 1)
        #expect(names(in: folder) == [])
    }

    @Test(arguments: ["a.gpx", "a.csv", "a.gpx.zst"])
    func `a recording without a fix leaves no file, and has the exit status for that`(
        _ name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let lost = (0..<3).flatMap { ScriptedReceiver.epoch($0, quality: .invalid) }
        let input = try folder.file("lost.nmea", lost)
        let run = try await CommandRun(words: ["record", input, "-o", folder.path(name)])
        let expected =
            "nothing was recorded, so \(folder.path(name)) is not written: "
            + "gpsbridge doctor SOURCE shows what the source sends"
        #expect(try await run.message(with: expected) != nil)
        #expect(await run.status() == 3)
        #expect(names(in: folder) == ["lost.nmea"])
    }

    @Test func `a recording continued without data is unchanged`() async throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let lost = try folder.file("lost.nmea", ScriptedReceiver.epoch(0, quality: .invalid))
        let target = folder.path("a.gpx")
        #expect(await (try await CommandRun(words: ["record", good, "-o", target])).status() == 0)
        let before = try folder.bytes("a.gpx")
        let run = try await CommandRun(words: ["record", lost, "-o", target])
        let expected =
            "nothing was recorded, so \(target) is unchanged: "
            + "gpsbridge doctor SOURCE shows what the source sends"
        #expect(try await run.message(with: expected) != nil)
        #expect(await run.status() == 3)
        #expect(try folder.bytes("a.gpx") == before)
    }

    @Test func `a recording continued without data states the repair of its end`() async throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let lost = try folder.file("lost.nmea", ScriptedReceiver.epoch(0, quality: .invalid))
        let target = folder.path("a.gpx")
        #expect(await (try await CommandRun(words: ["record", good, "-o", target])).status() == 0)
        _ = try folder.file("a.gpx", Array(try folder.bytes("a.gpx").dropLast(3)))
        let run = try await CommandRun(words: ["record", lost, "-o", target])
        let expected =
            "nothing was recorded, and only the incomplete end of \(target) was repaired: "
            + "gpsbridge doctor SOURCE shows what the source sends"
        #expect(try await run.message(with: expected) != nil)
        #expect(await run.status() == 3)
    }

    @Test(arguments: [false, true])
    func `an interruption before the first data has status 0 and leaves no empty file`(
        _ isThere: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        // `kill -9` may leave an empty file.
        if isThere { _ = try folder.file("a.gpx", []) }
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", folder.path("a.gpx")])
        #expect(try await run.message(with: "recording \(receiver.path)") != nil)
        run.send(SIGTERM)
        #expect(try await run.message(with: "nothing was recorded") != nil)
        #expect(await run.status() == 0)
        #expect(names(in: folder) == [])
    }

    /// Returns all names in the folder, including hidden ones.
    private func names(in folder: TemporaryFolder) -> [String] {
        Folder.names(in: folder.path).filter { $0 != "." && $0 != ".." }.sorted()
    }

    @Test(arguments: [["convert", "IN", "-o", "OUT"], ["record", "simulated", "-o", "OUT"]])
    func `a missing folder is reported`(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("a.nmea", ScriptedReceiver.epoch(0))
        let names = ["IN": input, "OUT": folder.path("none/a.gpx")]
        let run = try await CommandRun(words: words.map { names[$0] ?? $0 })
        #expect(try await run.message()?.contains("create its folder first") == true)
        #expect(await run.status() == 1)
    }

    @Test func `record refuses a file that it cannot continue`() async throws {
        let run = try await CommandRun(words: ["record", "simulated", "-o", "-"])
        #expect(try await run.message()?.contains("gpsbridge monitor --format nmea") == true)
        #expect(await run.status() == 2)
    }
}

/// The option `--jobs` of `convert`, in complete runs of the command.
@Suite(.timeLimit(.generous))
struct SeveralCoresTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func convert(
        _ paths: [String], to format: String, jobs: Int, input: String = "/dev/null"
    ) async throws -> (bytes: [UInt8]?, messages: [String], status: Int32) {
        let output = folder.path("\(jobs).\(format)")
        let words = ["convert"] + paths + ["--jobs", "\(jobs)", "-o", output]
        let run = try await CommandRun(words: words, input: input)
        let (messages, status) = (try await run.messages(), await run.status())
        return (try? folder.bytes("\(jobs).\(format)"), messages, status)
    }

    /// Returns hours of a drive, made by repeating some minutes.
    private func drive(hours: Int) -> [UInt8] {
        let minutes = (0..<600).flatMap {
            ScriptedReceiver.epoch($0, latitude: 48 + Double($0) / 10_000)
        }
        return Array(repeatElement(minutes, count: 6 * hours).joined())
    }

    @Test(arguments: ["json", "gpx", "csv"])
    func `recordings that need one core do not change the output for others on several`(
        _ format: String
    ) async throws {
        let track = """
            <gpx version="1.1"><trk><trkseg><trkpt lat="1" lon="2"><time>2026-03-21T13:00:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """
        let paths = [
            try folder.file("a.nmea", drive(hours: 2)), try folder.file("b.gpx", Array(track.utf8)),
            try folder.file("c.nmea", drive(hours: 1)),
            try folder.file("d.nmea", Array("no\n".utf8)),
            "-", try folder.file("e.nmea", drive(hours: 1)),
        ]
        let input = try folder.file("input", drive(hours: 1))
        let one = try await convert(paths, to: format, jobs: 1, input: input)
        let several = try await convert(paths, to: format, jobs: 3, input: input)
        let isSame = several.bytes == one.bytes
        #expect(isSame && one.bytes != nil)
        #expect(one.messages.count == 1)
        #expect(one.messages.first?.hasPrefix("gpsbridge: \(paths[3]) is not in a known") == true)
        #expect(several.messages == one.messages)
        #expect((one.status, several.status) == (0, 0))
    }

    /// Returns a megabyte of a sentence without a position.
    private func lines(_ sentence: String) -> [UInt8] {
        Array(repeatElement(Array("\(sentence)\r\n".utf8), count: 45_000).joined())
    }

    @Test func `if no fix was written, that is reported after all files`() async throws {
        let paths = [
            try folder.file("a.nmea", lines("$GPGGA,broken by noise*00")),
            try folder.file("b.nmea", lines("$GPGSV,1,1,01,29,36,029,42*4B")),
        ]
        let run = try await convert(paths, to: "csv", jobs: 2)
        #expect(run.bytes == nil)
        #expect(
            run.messages == [
                "gpsbridge: \(paths[0]) contains no valid sentence, only rejected ones, mostly with too few fields",
                "gpsbridge: no fix was written: none has a position, or options such as --after or --max-hdop omit all",
                "gpsbridge: \(folder.path("2.csv")) is not written, because it would be empty",
            ])
        #expect(run.status == 3)
    }

    @Test func `one file with fixes is enough, at any position in the list`() async throws {
        let empty = try folder.file("empty.nmea", lines("$GPGSV,1,1,01,29,36,029,42*4B"))
        let paths = [empty, try folder.file("a.nmea", drive(hours: 1)), empty]
        let several = try await convert(paths, to: "json", jobs: 3)
        let one = try await convert(paths, to: "json", jobs: 1)
        let isSame = several.bytes == one.bytes
        #expect(isSame && one.bytes != nil)
        #expect((one.status, several.status) == (0, 0))
    }

    @Test func `more files than the usual limit of open files are converted in order`() async throws
    {
        let drive = drive(hours: 1)
        let paths = try (0..<300).map { index in
            try folder.file("\(1000 + index).nmea", Array(drive[50 * index..<50 * index + 7200]))
        }
        let several = try await convert(paths, to: "csv", jobs: 3)
        let one = try await convert(paths, to: "csv", jobs: 1)
        let isSame = several.bytes == one.bytes
        #expect(isSame && one.bytes != nil)
        #expect((one.status, several.status) == (0, 0))
    }
}
