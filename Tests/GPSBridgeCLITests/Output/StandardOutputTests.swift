// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// Standard output that cannot be written to.
@Suite(.timeLimit(.generous))
struct StandardOutputTests {
    private static let commands: [[String]] = [
        ["--help"], ["help", "serve"], ["help"], ["record", "--help"], ["-h"], ["--version"],
        ["list", "--version"], ["list", "--json"], ["--completions", "bash"],
        ["--man-page", "convert"], ["doctor", "simulated:rate=10"],
        ["convert", "$0", "--to", "csv"], ["convert", "$0", "--summary"],
        ["monitor", "$0", "-f", "text", "--speed", "1e6"],
        ["monitor", "$0", "-f", "json", "--speed", "1e6"],
        ["monitor", "$0", "-f", "csv", "--speed", "1e6"],
        ["monitor", "$0", "-f", "nmea", "--speed", "1e6"],
    ]

    private func run(_ words: [String], redirection: String) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let script = "exec \"$@\" \(redirection)"
        let run = try await CommandRun(
            "/bin/sh",
            words: ["-c", script, "sh", CommandRun.executable]
                + words.map { $0 == "$0" ? file : $0 })
        _ = await run.status()
        withExtendedLifetime(folder) {}
        return run
    }

    @Test(arguments: commands)
    func `a full disk behind standard output is an error of every command`(
        _ words: [String]
    ) async throws {
        let run = try await run(words, redirection: ">/dev/full")
        #expect(await run.status() == 1)
        let message = "cannot write to standard output: No space left on device"
        #expect(try await run.message(with: message) != nil)
    }

    @Test(arguments: [["--help"], ["help", "serve"], ["--version"], ["--man-page", "serve"]])
    func `help without a reader ends quietly`(_ words: [String]) async throws {
        let run = try await run(words, redirection: "2>&1 >/dev/null | :")
        #expect(try await run.messages() == [])
    }
}
