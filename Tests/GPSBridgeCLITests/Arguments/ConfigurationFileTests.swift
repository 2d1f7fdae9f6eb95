// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The configuration file of `serve` and `record`.
@Suite(.timeLimit(.generous))
struct ConfigurationFileTests {
    private static func check(_ text: String, _ words: [String] = ["serve"]) async throws
        -> (messages: [String], status: CInt)
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("g.toml", Array(text.utf8))
        let run = try await CommandRun(words: words + ["--config", path, "--check-config"])
        let messages = try await run.messages().map {
            $0.replacing("gpsbridge: \(folder.path)/", with: "")
        }
        return (messages, await run.status())
    }

    @Test(arguments: [
        ("lisen = \"1\"", "g.toml:1:1: unknown key 'lisen'; did you mean 'listen'?"),
        ("\n max-clients = \"many\"", "g.toml:2:16: max-clients: number of clients 'many'"),
        ("vote = 3", "g.toml:1:8: vote: expected true or false, not 3"),
        ("user = true", "g.toml:1:8: user: expected text in quotes or a number, not true"),
        ("user = ", "g.toml:1:8: expected a value"),
        ("config = \"x\"", "g.toml:1:1: 'config' can be given only on the command line"),
        ("http-token = \"x\"", "g.toml:1:14: http-token: --http-token would show the token"),
        (
            "[serve]\nuser = \"x\"",
            "g.toml:2:1: 'user' is in the table [serve], but tables are not supported"
        ),
        ("sources = [\"udp://:0\"]", "g.toml:1:11: sources: "),
        ("shm = 3\nvote = true\nsources = [\"simulated\", \"simulated\"]", "g.toml:3:11: "),
    ])
    func `an error has the file, the line and the column`(
        _ text: String, _ message: String
    ) async throws {
        let (messages, status) = try await Self.check(text)
        #expect(messages.first?.hasPrefix(message) == true, "\(messages)")
        #expect(messages.count == 1)
        #expect(status == 2)
    }

    @Test func `options that exclude each other are an error of record's file`() async throws {
        let (messages, status) = try await Self.check("share = true\nwarm-start = true", ["record"])
        #expect(messages.first?.hasPrefix("g.toml:2:14: warm-start: --warm-start needs") == true)
        #expect(status == 2)
    }

    @Test func `a pipe without data is an error, and an empty file is not`() async throws {
        let pipe = try TemporaryFolder()
        #expect(mkfifo(pipe.path("g.toml"), 0o600) == 0)
        let words = ["serve", "--check-config", "--config"]
        let refused = try await CommandRun(words: words + [pipe.path("g.toml")])
        let message = try await refused.messages().first
        #expect(message?.contains("g.toml: this pipe contains no data") == true)
        #expect(await refused.status() == 2)
        let empty = try await CommandRun(words: words + ["/dev/null"])
        #expect(await empty.status() == 0)
    }

    @Test(arguments: [
        ("/nonexistent/g.toml", "No such file or directory; check the path given to --config"),
        ("/", "Is a directory; give --config the path of a file"),
    ])
    func `a file that cannot be read is an error with advice`(
        _ path: String, _ reason: String
    ) async throws {
        let run = try await CommandRun(words: ["serve", "--config", path])
        #expect(try await run.messages() == ["gpsbridge: \(path): \(reason)"])
        #expect(await run.status() == 2)
    }

    @Test func `all errors of a file are printed`() async throws {
        let (messages, status) = try await Self.check("lisen = 1\nshm = 999\nuser = \"root\"\n")
        #expect(messages.map { String($0.prefix(10)) } == ["g.toml:1:1", "g.toml:2:7"])
        #expect(status == 2)
    }

    @Test func `a valid file is reported on standard output`() async throws {
        let folder = try TemporaryFolder()
        let text = """
            # Every kind of value
            sources = ["simulated", "simulated:rate=5"]
            listen = ["localhost:0", "\(folder.path("socket"))"]
            time-delay = 0.1
            max-clients = 10
            allow-control = true
            trust-any-time = false
            log-level = "warning"
            """
        let path = try folder.file("g.toml", Array(text.utf8))
        let run = try await CommandRun(words: ["serve", "--config", path, "--check-config"])
        #expect(try await run.lines() == ["\(path) is valid"])
        #expect(await run.status() == 0)
        #expect(access(folder.path("socket"), F_OK) != 0)
    }

    @Test(arguments: [
        ("serve", "user = \"no-such-user\"", "the user 'no-such-user' does not exist"),
        ("serve", "n2k = \"can97\"", "cannot use the CAN interface can97"),
        ("serve", "control-socket = \"/nonexistent/x\"", "cannot listen on /nonexistent/x"),
        ("serve", "nmea = \"pty:/nonexistent/x\"", "cannot create the link /nonexistent/x"),
        ("record", "output = \"/nonexistent/a.nmea\"", "cannot record to /nonexistent/a.nmea"),
    ])
    func `a check finds what the start would find on this machine`(
        _ command: String, _ line: String, _ expected: String
    ) async throws {
        let folder = try TemporaryFolder()
        let text = "sources = [\"simulated\"]\n\(line)\n"
        let path = try folder.file("g.toml", Array(text.utf8))
        let run = try await CommandRun(words: [command, "--config", path, "--check-config"])
        #expect(try await run.message()?.contains(expected) == true)
        #expect(await run.status() != 0)
    }

    @Test func `options of the command line override those of the file`() async throws {
        let folder = try TemporaryFolder()
        let text = """
            sources = ["/nowhere"]
            output = "\(folder.path("file.nmea"))"
            duration = "0 s"
            """
        let path = try folder.file("g.toml", Array(text.utf8))
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(words: [
            "record", "--config", path, "-o", folder.path("given.nmea"), "-d", "1h", receiver.path,
        ])
        let message = "recording \(receiver.path) to \(folder.path("given.nmea"))"
        #expect(try await run.message(with: message) != nil)
        run.send(SIGTERM)
        _ = await run.status()
    }

    @Test func `SIGHUP applies changed arguments of a simulated receiver`() async throws {
        let folder = try TemporaryFolder()
        let fixed = "user = \"root\"\nlisten = \"\(folder.path("a"))\"\n"
        let first = fixed + "sources = \"simulated:seed=1\""
        let path = try folder.file("g.toml", Array(first.utf8))
        let run = try await CommandRun(words: ["serve", "--config", path])
        #expect(try await run.message(with: "reading simulated:seed=1") != nil)
        let second = fixed + "sources = [\"simulated:seed=2\", \"simulated:seed=1\"]"
        _ = try folder.file("g.toml", Array(second.utf8))
        run.send(SIGHUP)
        #expect(try await run.message(with: "reading simulated:seed=2") != nil)
        let third = fixed + "sources = \"simulated:seed=2\""
        _ = try folder.file("g.toml", Array(third.utf8))
        run.send(SIGHUP)
        #expect(try await run.message(with: "simulated:seed=1 is no longer served") != nil)
        await run.end()
    }

    @Test func `SIGHUP applies sources, and names the keys that need a restart`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try ScriptedReceiver(), try ScriptedReceiver())
        let fixed = "user = \"root\"\nlisten = \"\(folder.path("a"))\"\n"
        let path = try folder.file("g.toml", Array((fixed + "sources = \"\(first.path)\"").utf8))
        let run = try await CommandRun(words: ["serve", "--config", path])
        #expect(try await run.message(with: "reading \(first.path)") != nil)
        let sources = "sources = [\"\(second.path)\", \"\(first.path)\"]\nmax-clients = 5\n"
        _ = try folder.file("g.toml", Array((fixed + sources).utf8))
        run.send(SIGHUP)
        // The receiver may be opened before the file has been applied.
        var missing = [
            "changes of sources were applied",
            "restart gpsbridge to apply the changes to max-clients",
            "reading \(second.path)",
        ]
        while !missing.isEmpty, let message = try await run.message() {
            missing.removeAll { message.contains($0) }
        }
        #expect(missing.isEmpty)
        _ = try folder.file("g.toml", Array("sources = 1 2".utf8))
        run.send(SIGHUP)
        #expect(try await run.message(with: "g.toml:1:13: expected the end of the line") != nil)
        #expect(try await run.message(with: "nothing was changed") != nil)
        _ = try folder.file(
            "g.toml", Array((fixed + "sources = \"\(second.path)\"\nquiet = true").utf8))
        run.send(SIGHUP)
        // From now on, only messages that need attention are printed.
        await run.end()
    }

    @Test func `SIGHUP needs no token, whose file the current user may not read`() async throws {
        let folder = try TemporaryFolder()
        let token = try folder.file("token", Array("0123456789ab".utf8))
        chmod(token, 0o600)
        let receivers = [try ScriptedReceiver(), try ScriptedReceiver()]
        func text(_ receiver: ScriptedReceiver) -> [UInt8] {
            Array(
                """
                user = "root"
                listen = "\(folder.path("a"))"
                http = "127.0.0.1:0"
                http-token-file = "\(token)"
                sources = "\(receiver.path)"
                """.utf8)
        }
        let path = try folder.file("g.toml", text(receivers[0]))
        let run = try await CommandRun(words: ["serve", "--config", path])
        #expect(try await run.message(with: "reading \(receivers[0].path)") != nil)
        unlink(token)
        _ = try folder.file("g.toml", text(receivers[1]))
        run.send(SIGHUP)
        #expect(try await run.message(with: "reading \(receivers[1].path)") != nil)
        await run.end()
    }

    @Test func `a quiet server prints warnings only`() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(words: [
            "serve", "--quiet", "--listen", folder.path("a"), "--user", "root",
            "tcp://127.0.0.1:1",
        ])
        #expect(try await run.message()?.contains("waiting: ") == true)
        run.send(SIGTERM)
        _ = await run.status()
    }
}
