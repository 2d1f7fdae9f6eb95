// SPDX-License-Identifier: MIT
import Devices
import Glibc
import TestSupport
import Testing

/// A tty that another program reads, which locks nothing.
@Suite(.timeLimit(.generous))
struct SharedTTYTests {
    /// A receiver that this process reads without a lock, while the body runs.
    private func withReadReceiver(
        _ body: (ScriptedReceiver, TemporaryFolder) async throws -> Void
    ) async throws {
        let receiver = try ScriptedReceiver()
        let descriptor = open(receiver.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try await body(receiver, try TemporaryFolder())
    }

    @Test func `monitor reports at once that another program reads it, too`() async throws {
        try await withReadReceiver { receiver, _ in
            let run = try await CommandRun(
                words: ["monitor", receiver.path, "-b", "9600", "-f", "json"])
            let message = try await run.message()
            #expect(message?.contains("\(receiver.path) is read by") == true, "\(message ?? "")")
            #expect(message?.contains("each of the two gets only a part") == true)
            run.send(SIGTERM)
            #expect(await run.status() == 0)
        }
    }

    @Test func `record refuses it, and leaves no file`() async throws {
        try await withReadReceiver { receiver, folder in
            let words = ["record", receiver.path, "-o", folder.path("a.gpx")]
            let run = try await CommandRun(words: words)
            let message = try await run.message()
            #expect(message?.contains("is read by") == true, "\(message ?? "")")
            #expect(message?.contains("--share") == true)
            #expect(await run.status() == 1)
            #expect(access(folder.path("a.gpx"), F_OK) != 0)
        }
    }

    @Test func `record reads it with --share`() async throws {
        try await withReadReceiver { receiver, folder in
            let words = ["record", receiver.path, "-o", folder.path("a.nmea"), "--share"]
            let run = try await CommandRun(words: words)
            #expect(try await run.message(with: "recording \(receiver.path)") != nil)
            run.send(SIGTERM)
            #expect(await run.status() == 0)
        }
    }
}
