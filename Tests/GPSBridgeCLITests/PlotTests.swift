// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

// Serialized: these tests start many processes, which would delay tests with ttys.
@Suite(.serialized, .timeLimit(.generous))
struct PlotTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        capture = try folder.file("track.nmea", (0..<30).flatMap { ScriptedReceiver.epoch($0) })
    }

    /// The names in the folder other than the recording's.
    private var names: [String] { folder.names.filter { $0 != "track.nmea" } }

    private func text(_ path: String) -> String {
        lines(of: readFile(path)).joined(separator: "\n")
    }

    // MARK: convert

    @Test(arguments: ["svg", "png", "SVG"])
    func `a recording is plotted, and nothing else is written`(_ ending: String) async throws {
        let path = folder.path("a.\(ending)")
        let run = try await CommandRun(words: ["convert", capture, "--plot", path])
        #expect(try await run.lines() == [])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        #expect(names == ["a.\(ending)"])
        guard ending != "png" else { return }
        let image = text(path)
        // A plot of a trip needs no warning that it is not live.
        #expect(!image.contains("REPLAYED") && image.contains("· from a recording<"))
        #expect(image.contains(">30 fixes · all with a position"))
        #expect(image.hasSuffix("</svg>"))
    }

    @Test func `the plot of a simulated recording is marked as simulated`() async throws {
        let head = "# gpsbridge recording 1\r\n# origin: simulated\r\n"
        let bytes = Array(head.utf8) + readFile(capture)
        let simulated = try folder.file("simulated.nmea", bytes)
        let path = folder.path("a.svg")
        for words in [[simulated], ["-"]] {
            let run = try await CommandRun(
                words: ["convert"] + words + ["--plot", path], input: simulated)
            #expect(await run.status() == 0)
            let image = text(path)
            #expect(image.contains("SIMULATED") && !image.contains("REPLAYED"), "\(words)")
        }
    }

    @Test func `with a format both are written, and the plot shows fixes omitted by thinning`()
        async throws
    {
        let path = folder.path("a.svg")
        let words = ["convert", capture, "--to", "csv", "--every", "10", "--plot", path]
        let lines = try await CommandRun(words: words).lines()
        #expect(lines.count == 4)
        #expect(text(path).contains(">30 fixes"))
    }

    @Test func `the selection by time applies to the plot`() async throws {
        let path = folder.path("a.svg")
        let run = try await CommandRun(words: [
            "convert", capture, "--plot", path, "--from", "2026-03-21T12:00:10Z", "--to-time",
            "2026-03-21T12:00:20Z", "--units", "nautical",
        ])
        #expect(await run.status() == 0)
        let image = text(path)
        #expect(image.contains(">10 fixes"))
        #expect(image.contains("12:00:10 to 12:00:19 UTC"))
        #expect(image.contains("kn"))
    }

    @Test(arguments: [
        (["--plot", "a.jpg"], "not a name for a plot: 'a.jpg'"),
        (["--plot", "plot"], "'plot.svg'"), (["--plot", ".svg"], "not a name for a plot"),
        (["--plot", "a.pdf"], "'a.svg'"),
        (["--plot", "a.svg", "--every", "5"], "--every"),
        (["--to", "csv", "--truth", "1,2"], "add --plot FILE"),
        (["--plot", "a.svg", "--truth", "1"], "such as 48.2,16.37"),
        (["--plot", "a.svg", "--truth", "91,0"], "-90 to 90"),
        (["--plot", "a.svg", "--units", "nautcal"], "did you mean 'nautical'?"),
    ])
    func `a usage error is explained`(_ words: [String], _ reason: String) async throws {
        let run = try await CommandRun(words: ["convert", capture] + words)
        let messages = try await run.messages()
        #expect(messages.count == 1 && messages[0].contains(reason), "\(messages)")
        #expect(await run.status() == 2)
    }

    @Test func `a missing folder is reported before the conversion`() async throws {
        let path = folder.path("no/a.svg")
        let run = try await CommandRun(words: ["convert", capture, "--to", "csv", "--plot", path])
        #expect(try await run.lines() == [])
        #expect(
            try await run.messages() == [
                "gpsbridge: cannot write the plot \(path): No such file or directory; "
                    + "create its folder first"
            ])
        #expect(await run.status() == 1)
    }

    @Test(.disabled(if: getuid() == 0, "root may write anywhere"))
    func `a folder without write permission is reported`() async throws {
        chmod(folder.path, 0o500)
        try await CommandRun.expectFailure(
            ["convert", capture, "--plot", folder.path("a.svg")], status: 1, "that you may write to"
        )
        chmod(folder.path, 0o700)
    }

    @Test func `a path that is not a regular file is not replaced`() async throws {
        let path = folder.path("pipe.svg")
        mkfifo(path, 0o600)
        try await CommandRun.expectFailure(
            ["convert", capture, "--plot", path], status: 1, "not a regular file")
        #expect(names == ["pipe.svg"])
    }

    @Test func `without fixes the old plot is kept`() async throws {
        let path = try folder.file("a.svg", Array("old\n".utf8))
        let empty = try folder.file("b", Array("$GPRMC,broken*00\r\n".utf8))
        let run = try await CommandRun(words: ["convert", empty, "--plot", path])
        #expect(
            try await run.messages().last
                == "gpsbridge: cannot write the plot \(path): there was no position and no "
                + "satellite to draw")
        #expect(await run.status() == 1)
        #expect(text(path) == "old")
        #expect(names == ["a.svg", "b"])
    }

    @Test func `neither the recording nor the output is overwritten by the plot`() async throws {
        let path = try folder.file("a.svg", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let itself = try await CommandRun(words: ["convert", path, "--plot", path])
        #expect(try await itself.messages().first?.contains("the recording itself") == true)
        #expect(await itself.status() == 1)
        #expect(text(path).hasPrefix("$GN"))
        let both = try await CommandRun(words: [
            "convert", capture, "-t", "kml", "-o", "b.svg", "--plot", "b.svg",
        ])
        #expect(try await both.messages().first?.contains("both the output and the plot") == true)
        #expect(await both.status() == 2)
        try await CommandRun.expectFailure(
            [
                "convert", capture, "-t", "csv", "-o", folder.path("c.svg"), "--plot",
                folder.path("./c.svg"),
            ], status: 1, "also the output")
    }

    @Test func `standard input is named in the plot`() async throws {
        let path = folder.path("a.svg")
        let run = try await CommandRun(words: ["convert", "-", "--plot", path], input: capture)
        #expect(await run.status() == 0)
        #expect(text(path).contains(">standard input</text>"))
    }

    @Test func `a symbolic link is kept, and its target replaced`() async throws {
        let path = try folder.file("a.svg", Array("old\n".utf8))
        symlink("a.svg", folder.path("link.svg"))
        let run = try await CommandRun(words: [
            "convert", capture, "--plot", folder.path("link.svg"),
        ])
        #expect(await run.status() == 0)
        #expect(text(path).hasPrefix("<?xml"))
        var target = [CChar](repeating: 0, count: 16)
        #expect(readlink(folder.path("link.svg"), &target, 15) == 5)
    }

    @Test(.enabled(if: SmallDisk() != nil, "no disk can be mounted here"))
    func `a full disk is reported, and the old plot stays`() async throws {
        let disk = try #require(SmallDisk())
        let path = "\(disk.path)/a.svg"
        #expect(try await CommandRun("/bin/cp", words: [capture, path]).status() == 0)
        try disk.fill(14)
        let run = try await CommandRun(words: ["convert", capture, "--plot", path])
        let message = try await run.messages().first
        #expect(message?.contains("free some space") == true, "\(message ?? "")")
        #expect(await run.status() == 1)
        #expect(text(path).hasPrefix("$GN"))
    }

    @Test func `without cairo only PNG plots fail, with advice`() async throws {
        // The loader finds the empty file instead of cairo, and fails.
        _ = try folder.file("libcairo.so.2", [])
        func run(_ name: String) async throws -> CommandRun {
            try await CommandRun(
                variables: ["LD_LIBRARY_PATH=\(folder.path)"],
                words: ["convert", capture, "--plot", folder.path(name)])
        }
        #expect(try await run("a.svg").status() == 0)
        let failed = try await run("a.png")
        #expect(try await failed.messages().first?.contains("apt-get install libcairo2") == true)
        #expect(await failed.status() == 1)
        #expect(names == ["a.svg", "libcairo.so.2"])
    }

    // MARK: monitor

    @Test func `a receiver's plot is written when the user ends monitor`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("live.svg")
        let run = try await CommandRun(words: [
            "monitor", receiver.path, "-b", "9600", "-f", "text", "--plot", path,
        ])
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        for _ in 0..<4 { #expect(try await run.line() != nil) }
        #expect(names == [])
        await run.end(by: SIGINT)
        let image = text(path)
        #expect(!image.contains("REPLAYED") && !image.contains("SIMULATED"))
        #expect(image.contains(">Altitude above mean sea level (m)<"))
        #expect(names == ["live.svg"])
    }

    @Test func `the plot has as many fixes as --count`() async throws {
        let path = folder.path("some.svg")
        let run = try await CommandRun(words: [
            "monitor", capture, "--speed", "1000", "-n", "5", "--plot", path,
        ])
        #expect(try await run.lines().count == 5)
        #expect(await run.status() == 0)
        #expect(text(path).contains(">5 fixes"))
    }

    @Test func `a plot does not overwrite the recording that monitor reads or writes`()
        async throws
    {
        let path = try folder.file("a.svg", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let before = text(path)
        try await CommandRun.expectFailure(
            ["monitor", path, "--speed", "1000", "-f", "text", "--plot", path], status: 1,
            "it is the recording itself")
        let piped = try await CommandRun(
            words: ["monitor", "-", "-f", "text", "--plot", path], input: path)
        #expect(try await piped.messages().last?.contains("it is the recording itself") == true)
        #expect(await piped.status() == 1)
        #expect(text(path) == before)
        let new = folder.path("new.svg")
        for other in [path, new] {
            try await CommandRun.expectFailure(
                [
                    "monitor", "simulated", "-n", "1", "-f", "text", "--record", other,
                    "--plot", other,
                ], status: 1, "it is also the recording")
        }
        #expect(text(path) == before)
        #expect(names == ["a.svg"])
    }

    @Test func `ending before the first fix is reported`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("none.svg")
        let run = try await CommandRun(words: [
            "monitor", receiver.path, "-b", "9600", "--plot", path,
        ])
        await receiver.waitForReader()
        run.send(SIGTERM)
        #expect(try await run.messages().last?.contains("no position and no satellite") == true)
        #expect(await run.status() == 1)
        #expect(names == [])
    }

    @Test func `a plot of several receivers is refused`() async throws {
        try await CommandRun.expectFailure(
            [
                "monitor", "simulated", "simulated", "-f", "screen", "--plot", folder.path("a.svg"),
            ], status: 2, "--plot draws one receiver")
    }
}
