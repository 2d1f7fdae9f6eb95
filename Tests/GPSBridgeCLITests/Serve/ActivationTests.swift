// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The command `gpsbridge serve` with a socket for sentences that systemd has opened.
@Suite(.timeLimit(.generous))
struct ActivationTests {
    @Test func `--nmea with the address of a socket from systemd selects its sentences`()
        async throws
    {
        let run = try await Self.serve("--nmea", "127.0.0.1:<PORT>=GGA")
        let message = try #require(try await run.message(with: ", which systemd has opened"))
        let port = try #require(message.split(separator: "127.0.0.1:").last?.prefix { $0 != "," })
        let client = try await CommandRun(
            "/usr/bin/env", words: ["bash", "-c", "exec cat </dev/tcp/127.0.0.1/\(port)"])
        for _ in 0..<5 {
            let sentence = try await client.line()
            #expect(sentence?.contains("GGA,") == true, "\(sentence ?? "")")
        }
        client.send(SIGTERM)
        _ = await client.status()
        await run.end()
    }

    @Test func `--nmea for a port that systemd has opened for another address is reported`()
        async throws
    {
        let run = try await Self.serve("--nmea", "*:<PORT>")
        #expect(try await run.message(with: "does not listen on *:") != nil)
        #expect(try await run.message(with: ", which systemd has opened") != nil)
        await run.end()
        let messages = try await run.messages()
        #expect(!messages.contains { $0.contains("other machines") }, "\(messages)")
    }

    /// Serves a simulated receiver with a socket at a free port, as systemd passes it. `<PORT>`
    /// stands for this port.
    private static func serve(_ words: String...) async throws -> CommandRun {
        let script = """
            import os, socket, sys
            listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen()
            port = str(listener.getsockname()[1])
            os.dup2(listener.fileno(), 3); os.set_inheritable(3, True)
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="nmea")
            words = [word.replace("<PORT>", port) for word in sys.argv[1:]]
            os.execv(words[0], words)
            """
        let command = [CommandRun.executable, "serve", "simulated:rate=10", "--user", "root"]
        return try await CommandRun(
            "/usr/bin/env", words: ["python3", "-c", script] + command + words)
    }
}
