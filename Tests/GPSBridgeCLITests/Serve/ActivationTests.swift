// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The command `gpsbridge serve` with sockets that systemd has opened.
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

    @Test func `clients are served at each address of a socket from systemd`() async throws {
        let addresses = ["127.0.0.1", "127.0.0.2"]
        let run = try await Self.serve(name: "gpsd", addresses: addresses)
        for address in addresses {
            let message = try #require(try await run.message(with: "clients at \(address):"))
            let end = try #require(message.split(separator: "\(address):").last)
            let port = end.prefix { $0 != "," }
            let client = try await CommandRun(
                "/usr/bin/env", words: ["bash", "-c", "exec cat </dev/tcp/\(address)/\(port)"])
            #expect(try await client.line()?.contains("VERSION") == true)
            client.send(SIGTERM)
            _ = await client.status()
        }
        await run.end()
    }

    @Test func `the installed socket serves both addresses of localhost, also without IPv6`() throws
    {
        let unit = try PackageFile.text("udev-rules/gpsbridge.socket")
        for line in [
            "ListenStream=127.0.0.1:2947", "ListenStream=[::1]:2947", "FreeBind=yes",
        ] {
            #expect(unit.contains("\n\(line)\n"), "\(line)")
        }
    }

    /// Serves a simulated receiver with sockets of a name at free ports, as systemd passes them.
    /// `<PORT>` stands for the port of the first one.
    private static func serve(
        _ words: String..., name: String = "nmea", addresses: [String] = ["127.0.0.1"]
    ) async throws -> CommandRun {
        let script = """
            import fcntl, os, socket, sys
            name, addresses, words = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
            listeners = [socket.create_server((address, 0)) for address in addresses]
            port = str(listeners[0].getsockname()[1])
            copies = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD_CLOEXEC, 20) for one in listeners]
            for index, copy in enumerate(copies): os.dup2(copy, 3 + index)
            os.environ.update(
                LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(copies)),
                LISTEN_FDNAMES=":".join([name] * len(copies)))
            words = [word.replace("<PORT>", port) for word in words]
            os.execv(words[0], words)
            """
        let command = [CommandRun.executable, "serve", "simulated:rate=10", "--user", "root"]
        let arguments = [name, addresses.joined(separator: " ")] + command + words
        return try await CommandRun("/usr/bin/env", words: ["python3", "-c", script] + arguments)
    }
}
