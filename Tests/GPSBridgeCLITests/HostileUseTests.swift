// SPDX-License-Identifier: MIT
import Glibc
import GPSTestSupport
import Testing

/// Limits, pipes, links and names that once made the command crash, hang, or lose a file.
@Suite(.timeLimit(.generous))
struct HostileUseTests {
    private let folder: TemporaryFolder
    private let recording: String

    init() throws {
        folder = try TemporaryFolder()
        recording = try folder.file("a.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
    }

    /// Returns the first message and the exit status.
    private func refusal(_ words: [String]) async throws -> (message: String, status: CInt) {
        let run = try await CommandRun(words: words)
        let message = try await run.message() ?? ""
        return (message, await run.status())
    }

    @Test(arguments: [
        (8, "-n", "hard limit of open files is 8, and this program needs "),
        (16, "-n", "hard limit of open files is 16, and this program needs "),
        (16, "-Sn", "the limit of open files is 16, and this program needs "),
    ])
    func `a low limit of open files is an error with the limit, not a crash`(
        count: Int, option: String, expected: String
    ) async throws {
        let run = try await CommandRun(
            "/bin/bash",
            words: [
                "-c", "ulimit \(option) \(count); exec \"$0\" monitor simulated -n 1 -f text",
                CommandRun.executable,
            ])
        let message = try await run.message() ?? ""
        #expect(message.contains(expected) && message.contains("ulimit"), "\(message)")
        #expect(await run.status() == 1)
    }

    @Test func `a server that could not open its receiver does not start`() async throws {
        let run = try await CommandRun(
            "/bin/bash",
            words: [
                "-c",
                "ulimit -n 24; exec \"$0\" serve simulated --listen 127.0.0.1:0 --http 127.0.0.1:0",
                CommandRun.executable,
            ])
        let message = try await run.message() ?? ""
        #expect(
            message.contains("may open only 24 files") && message.contains("ulimit"), "\(message)")
        #expect(await run.status() == 1)
    }

    @Test(arguments: ["--track", "--faults"])
    func `--truth does not overwrite an input file`(option: String) async throws {
        let file = try folder.file(
            "input", option == "--track" ? try folder.bytes("a.nmea") : Array("1s: jam".utf8))
        let before = try folder.bytes("input")
        let (message, status) = try await refusal(
            ["simulate", "-n", "1", option, file, "--truth", file])
        #expect(message.contains("is also an input file"))
        #expect(status == 2)
        #expect(try folder.bytes("input") == before)
    }

    @Test
    func `--truth does not create a file that is named like standard output`() async throws {
        let (message, status) = try await refusal(["simulate", "-n", "1", "--truth", "-"])
        #expect(message.contains("--truth cannot write to standard output"))
        #expect(status == 2)
    }

    @Test
    func `--truth does not overwrite standard input`() async throws {
        let file = folder.path("a.nmea")
        let before = try folder.bytes("a.nmea")
        let run = try await CommandRun(
            words: ["simulate", "-n", "1", "--track", "-", "--truth", file], input: file)
        #expect(try await run.message()?.contains("is also an input file") == true)
        #expect(await run.status() == 2)
        #expect(try folder.bytes("a.nmea") == before)
    }

    @Test func `a device is refused as a token file`() async throws {
        let (message, status) = try await refusal(
            ["serve", "simulated", "--http", "127.0.0.1:0", "--http-token-file", "/dev/null"])
        #expect(message.contains("/dev/null is not a regular file"))
        #expect(status == 1)
    }

    @Test func `a pipe is refused as a pulse device`() async throws {
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let (_, status) = try await refusal(
            ["serve", "simulated", "--listen", "127.0.0.1:0", "--pps", pipe])
        #expect(status == 1)
    }

    @Test func `--link does not replace a link to a file`() async throws {
        let link = folder.path("link")
        try #require(symlink(recording, link) == 0)
        let run = try await CommandRun(words: [
            "serve", "simulated", "--listen", "127.0.0.1:0", "--user", "root", "--nmea",
            "pty:\(link)",
        ])
        #expect(try await run.message(with: "is not a link to a pseudo terminal") != nil)
        #expect(await run.status() == 1)
        var (one, other) = (stat(), stat())
        try #require(stat(link, &one) == 0 && stat(recording, &other) == 0)
        #expect(one.st_ino == other.st_ino)
    }

    @Test func `headings of a compass are counted`() async throws {
        let run = try await CommandRun(words: [
            "monitor", "simulated:compass,rate=10", "-f", "text", "-n", "2",
        ])
        #expect(try await run.lines().count == 2)
        #expect(await run.status() == 0)
    }

    @Test func `counting rows of a compass ends, because it has none`() async throws {
        let compass = "simulated:compass,rate=20"
        for sources in [[compass], [compass, compass + ",seed=2"]] {
            let run = try await CommandRun(words: ["monitor"] + sources + ["-f", "csv", "-n", "2"])
            #expect(try await run.message(with: "but no position") != nil)
            #expect(await run.status() == 3)
        }
    }

    @Test func `the summary of a compass reports that there are only headings`() async throws {
        let file = try folder.file("c.nmea", Array("$HCHDG,86.0,,,4.0,E*13\r\n".utf8))
        let (message, status) = try await refusal(["convert", file, "--summary"])
        #expect(message.contains("only headings"))
        #expect(status == 3)
    }

    @Test(arguments: [["--rotate", "day"], ["-z"], []])
    func `a folder is refused as a file to record to`(words: [String]) async throws {
        let (message, status) = try await refusal(
            ["record", recording, "-o", folder.path] + words)
        #expect(message.contains("is a folder: name a file in it"))
        #expect(status == 2)
    }

    @Test(arguments: ["tcp://localhost:1", "gpsd://localhost:1", "/dev/ttyS0", "simulated"])
    func `--live is refused for sources other than pipes`(source: String) async throws {
        let (message, status) = try await refusal(["monitor", source, "--live"])
        #expect(message.contains("--live is only for data from a pipe"))
        #expect(status == 2)
    }

    @Test func `a closed output is an error of monitor`() async throws {
        let run = try await CommandRun(
            words: ["monitor", recording, "-f", "text", "--speed", "1e6"], closed: [1])
        #expect(try await run.message(with: "cannot write to standard output") != nil)
        #expect(await run.status() == 1)
    }

    @Test func `doctor does not name standard input as a dash`() async throws {
        let run = try await CommandRun(words: ["doctor", "-d", "1", "-"], input: recording)
        #expect(try await run.lines().allSatisfy { !$0.contains("- is there") })
    }

    @Test func `SIGQUIT ends a command like other signals`() async throws {
        let link = folder.path("gps")
        let run = try await CommandRun(words: ["simulate", "--link", link])
        #expect(try await run.line() == link)
        run.send(SIGQUIT)
        #expect(await run.status() == 0)
        var status = stat()
        #expect(lstat(link, &status) != 0)
    }
}
