// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@Suite(.timeLimit(.generous))
struct UsageTests {
    @Test(arguments: [
        (["monitor", "simulated:rate=0"], "rate '0' is not a number"),
        (["monitor", "--baud", "0", "/dev/null"], "baud rate '0'"),
        (["monitor", "--format", "jsn"], "did you mean 'json'?"),
        (["monitor", "--count", "0"], "count '0'"),
        (["monitor", "--speed", "0"], "speed '0'"),
        (["monitor", "--speed", "2"], "--speed is for recordings"),
        (["monitor", "simulated", "--speed", "2"], "--speed is for recordings"),
        (["monitor", "--duration", "soon"], "duration 'soon'"),
        (["monitor", "simulated:tempo=3"], "unknown setting 'tempo'"),
        (
            ["monitor", "-f", "nmea", "simulated", "simulated:rate=5"],
            "do not tell receivers apart"
        ),
        (["monitor", "-f", "json", "/dev/tty", "/dev/tty"], "it was named before"),
        (["monitr"], "did you mean 'monitor'?"),
        (["convert", "--to", "json"], "a file to convert is missing"),
        (["convert", "x.nmea"], "--to FORMAT is missing"),
        (["convert", "x.nmea", "--to", "jsn"], "unknown format 'jsn'; did you mean 'json'?"),
        (["convert", "x.nmea", "--to", "json", "--simplify", "5"], "--simplify is for tracks"),
        (["convert", "x.nmea", "--to", "gpx", "--from", "noon"], "'noon' is no time"),
        (["convert", "-", "-", "--to", "gpx"], "read only once"),
        (
            ["convert", "nats://hub/f/b/r", "--to", "gpx"],
            "`gpsbridge collect --from nats://hub/f/b/r --to gpx:FOLDER`"
        ),
        (
            ["convert", "mqtt://hub/f/b/r", "-o", "x.gpx"],
            "`gpsbridge record mqtt://hub/f/b/r -o FILE`"
        ),
        (["convert", "x.nmea", "-o", "x.gpx.zst"], "pipe it to `zstd -o x.gpx.zst`"),
        (
            [
                "convert", "x.nmea", "--to", "gpx", "--after", "2026-03-22T00:00:00Z", "--before",
                "2026-03-21T00:00:00Z",
            ], "--before is not after --after"
        ),
        (["record", "simulated"], "-o FILE is missing"),
        (["record", "simulated", "-o", "x.kml"], "kml cannot be recorded"),
        (["record", "simulated", "-o", "x.kml.zst"], "record raw, and convert it"),
        (["record", "simulated", "-o", "x", "-f", "kml"], "kml cannot be recorded"),
        (["record", "simulated", "-o", "x", "-f", "gpy"], "did you mean 'gpx'?"),
        (["record", "simulated", "-o", "x", "--rotate", "week"], "neither 'day' nor a size"),
        (["record", "simulated", "-o", "x", "--every", "5"], "for formats other than raw"),
        ([], "a command is missing"),
    ])
    func `a usage error is one clear line and status 2`(
        _ words: [String], _ said: String
    ) async throws {
        try await expect(words, status: 2, said)
    }

    @Test(arguments: ["monitor", "convert --to json"])
    func `a device that is not there, or none at all, is one clear line and status 1`(
        _ command: String
    ) async throws {
        let folder = try TemporaryFolder()
        let words = command.split(separator: " ").map(String.init)
        try await expect(words + [folder.path("gps")], status: 1, "There is no \(folder.path)/gps")
        try await expect(words + [folder.path], status: 1, "\(folder.path) is a folder")
    }

    @Test func `something that is no tty is one clear line and status 1`() async throws {
        try await expect(["monitor", "/dev/null"], status: 1, "/dev/null is not something")
    }

    @Test func `--speed is refused for a tty`() async throws {
        let receiver = try ScriptedReceiver()
        let words = ["monitor", receiver.path, "--speed", "2"]
        try await expect(words, status: 2, "--speed is for recordings")
    }

    @Test func `help and version go to standard output, with status 0`() async throws {
        let help = try await CommandRun(words: ["monitor", "--help"])
        #expect(try await help.lines().contains { $0.contains("--format=FORMAT") })
        #expect(await help.status() == 0)
        let version = try await CommandRun(words: ["--version"])
        #expect(try await version.lines().first?.hasPrefix("gpsbridge ") == true)
        #expect(await version.status() == 0)
    }

    private func expect(_ words: [String], status: CInt, _ said: String) async throws {
        let run = try await CommandRun(words: words)
        #expect(try await run.lines() == [])
        let messages = try await run.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("gpsbridge: ") == true)
        #expect(messages.first?.contains(said) == true, "\(messages)")
        #expect(await run.status() == status)
    }
}
