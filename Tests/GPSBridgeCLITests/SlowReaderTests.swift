// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct SlowReaderTests {
    private static let capture = (0..<3600).flatMap { ScriptedReceiver.epoch($0) }

    @Test func `a recording in a pipe is printed completely, however slow its reader`() async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", Self.capture + Self.capture + Self.capture)
        let command = "cat \"$1\" | \"$0\" monitor - --format \"$2\""
        let fixes = try await CommandRun(
            "/bin/sh", words: ["-c", command, CommandRun.executable, path, "json"])
        let sentences = try await CommandRun(
            "/bin/sh", words: ["-c", command, CommandRun.executable, path, "nmea"])
        // The fixes are not read during the run.
        #expect(try await sentences.lines().count == 3 * 7200)
        #expect(try await sentences.messages() == [])
        let converted = try await CommandRun(words: ["convert", path, "--to", "json"])
        let count = try await converted.lines().count
        #expect(count >= 3 * 3600 - 2)
        let printed = try await fixes.lines().filter { $0.hasPrefix("{\"class\":\"TPV\"") }
        #expect(printed.count == count)
        #expect(try await fixes.messages() == [])
    }

    @Test func `a stalled reader does not delay the receiver`() async throws {
        let receiver = try ScriptedReceiver()
        let words = ["monitor", receiver.path, "-b", "9600", "-f", "json"]
        let run = try await CommandRun(words: words)
        await receiver.waitForReader()
        // The output is not read, and yet the tty, which holds a few epochs, accepts each one.
        for second in 0..<25_000 { await receiver.sendEpoch(second) }
        #expect(try await run.line(with: "T12:56:39") != nil)
        run.send(SIGTERM)
        #expect(try await run.message(with: "were lost: the reader is too slow") != nil)
        #expect(await run.status() == 0)
    }

    @Test func `the duration ends monitor even if its reader has stalled`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", Self.capture)
        let words = ["monitor", path, "-f", "json", "--speed", "1e6", "--duration", "0.5"]
        let stalled = try await CommandRun(words: words)
        #expect(await stalled.status() == 0)
        // Only the part for which there was room.
        #expect(try await stalled.lines().count < 3600)
    }

    @Test func `a signal ends monitor even if its reader has stalled`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", Self.capture)
        let stalled = try await CommandRun(
            words: ["monitor", path, "-f", "json", "--speed", "1e6"])
        _ = try await stalled.line(with: "TPV")
        stalled.send(2)
        #expect(await stalled.status() == 0)
    }

    /// Runs `monitor` with a file as standard output.
    private static func run(
        _ words: [String], to file: String, before: String = ""
    ) async throws -> CommandRun {
        let command = before + #"file=$1; shift; exec "$0" monitor -f json "$@" >"$file""#
        return try await CommandRun(
            "/bin/sh", words: ["-c", command, CommandRun.executable, file] + words)
    }

    @Test func `a recording is written to a file completely`() async throws {
        let folder = try TemporaryFolder()
        let track = try folder.file("track.nmea", Self.capture)
        let file = folder.path("fixes.json")
        let run = try await Self.run(["--speed", "1e6", track], to: file)
        #expect(await run.status() == 0)
        let lines = String(decoding: readFile(file), as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("{\"class\":\"TPV\"") } == 3600)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    @Test func `a file has all reports from before a signal`() async throws {
        let folder = try TemporaryFolder()
        let receiver = try ScriptedReceiver()
        let file = folder.path("fixes.json")
        let run = try await Self.run(["-b", "9600", receiver.path], to: file)
        await receiver.waitForReader()
        for second in 0..<50 { await receiver.sendEpoch(second) }
        try await waitForFile(file) { String(decoding: $0, as: UTF8.self).contains("T12:00:48") }
        await run.end(by: SIGINT)
        let text = String(decoding: readFile(file), as: UTF8.self)
        #expect(text.hasSuffix("}\n"))
        #expect(text.split(separator: "\n").count { $0.contains("\"TPV\"") } >= 48)
    }

    @Test func `a file that cannot grow ends monitor with the reason`() async throws {
        let folder = try TemporaryFolder()
        let track = try folder.file("track.nmea", Self.capture)
        let file = folder.path("fixes.json")
        let run = try await Self.run(
            ["--speed", "1e6", track], to: file, before: "trap '' XFSZ; ulimit -f 8; ")
        #expect(
            try await run.messages() == [
                "gpsbridge: cannot write to standard output: File too large"
            ])
        #expect(await run.status() == 1)
        #expect(readFile(file).count == 8 * 512)
    }
}
