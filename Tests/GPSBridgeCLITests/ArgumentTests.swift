// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The accepted spellings of times, positions and options, and what is refused.
@Suite(.timeLimit(.generous))
struct ArgumentTests {
    @Test(arguments: [
        ["--after", "2026-03-21T12:00:05.5Z", "--before", "2026-03-21T12:00:15Z"],
        ["--from", "2026-03-21 12:00:05.500", "--to-time", "2026-03-21 12:00:15"],
        ["--after", "2026-03-21T13:00:05.5+01:00", "--before", "2026-03-21T07:00:15-05:00"],
        ["--after", "2026-03-21 12:00:05.5 UTC", "--before", "2026-03-21T12:00:15 GMT"],
    ])
    func `times may have fractions, offsets, a zone or a blank for the T, also in old options`(
        _ times: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", (0..<20).flatMap { ScriptedReceiver.epoch($0) })
        let lines = try await CommandRun(words: ["convert", path, "--to", "json"] + times).lines()
        let seconds = lines.compactMap { $0.split(separator: "T12:00:").last?.prefix(2) }
        #expect(seconds == ["06", "07", "08", "09", "10", "11", "12", "13", "14"])
    }

    @Test(arguments: [("2026-03-21", 3), ("2026-03-22", 0), ("2026-03-21T12:00", 3)])
    func `a date alone is midnight, and seconds may be omitted`(
        _ time: String, _ count: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let run = try await CommandRun(words: ["convert", path, "--to", "json", "--after", time])
        #expect(try await run.lines().count == count)
        #expect(await run.status() == (count > 0 ? 0 : 3))
    }

    @Test(arguments: [
        (["convert", "x", "--to", "2026-03-21T12:00:00Z"], "use --before 2026-03-21T12:00:00Z"),
        (["convert", "x", "--plot", "a.svg", "--plot", "b.svg"], "--plot can be given only once"),
        (["convert", "x", "-o", "a.gpx", "-o", "b.gpx"], "--output can be given only once"),
        (["convert", "x", "-t", "gpx", "--to", "csv"], "--to can be given only once"),
        (["convert", "x", "-t", "gpx", "--to", "2026-03-21"], "use --before 2026-03-21"),
        (["record", "simulated", "-o", "a", "--output=b"], "--output can be given only once"),
        (["monitor", "-f", "csv", "--units", "imperial"], "csv has its own units"),
        (["convert", "x", "-t", "csv", "--units", "imperial"], "--units is for --plot and"),
        (["convert", "x", "--summary=json", "--units", "imperial"], "--units is for --plot and"),
        (
            ["convert", "x", "-t", "json", "--title", "Walk"],
            "for gpx and kml: json does not store"
        ),
        (["monitor", "-f", "json", "--columns", "vote"], "--columns is for csv: json has no"),
        (["convert", "x", "-t", "gpx", "--columns", "vote"], "--columns is for csv: gpx has no"),
        (["record", "simulated", "-o", "a.nmea", "--columns", "vote"], "raw has no columns"),
        (["convert", "x", "-t", "csv", "--columns", "wind"], "known: instruments, receiver, vote"),
        (["convert", "x", "--plot", "a.svg", "--author", "me"], "--author are for gpx and kml"),
        (["monitor", "simulated", "--baud", "4800"], "a simulated receiver has no baud rate"),
        (["monitor", "tcp://localhost:1", "--baud", "4800"], "the network has no baud rate"),
        (["monitor", "udp://:1024", "--baud", "4800"], "the network has no baud rate"),
        (["monitor", "gpsd://", "--baud", "4800"], "the network has no baud rate"),
        (["doctor", "gpsd://localhost", "--baud", "4800"], "--baud is for a tty"),
        (["configure", "gpsd://localhost", "--line-baud", "4800"], "--line-baud is for a tty"),
        (["serve", "gpsd://localhost/dev/ttyUSB0", "--baud", "4800"], "--baud is for a tty"),
        (["monitor", "nats://localhost/a/b/c", "--baud", "4800"], "the network has no baud rate"),
        (["monitor", "-f", "json", "--units", "imperial"], "--units is for the screen"),
        (["monitor", "udp://:0"], "cannot be 0"),
        (["monitor", "-d", "1 fortnight"], "15min or 1h30min"),
        (["simulate", "--fault", "1s: unplug as gps1"], "needs --link PATH"),
        (
            ["simulate", "--fault", "1s: unplug as sub/x", "--link", "/tmp/x"],
            "not a name: 'sub/x'"
        ),
        (["help", "convrt"], "did you mean 'convert'?"),
    ])
    func `an option that would have no effect is refused`(_ words: [String], _ expected: String)
        async throws
    {
        let run = try await CommandRun(words: words)
        let message = try await run.message()
        #expect(message?.contains(expected) == true, "\(message ?? "")")
        #expect(await run.status() == 2)
    }

    @Test(arguments: ["nats", "tls", "mqtt", "mqtts"])
    func `a password in the address of a fleet is refused, and is not printed`(
        _ scheme: String
    ) async throws {
        let run = try await CommandRun(words: ["monitor", "\(scheme)://u:s3cret@hub/f/b/r"])
        let message = try #require(try await run.message())
        #expect(message.contains("GPSBRIDGE_PASSWORD_FILE") && !message.contains("s3cret"))
        #expect(await run.status() == 2)
    }

    @Test(arguments: [
        (["--listen", "29470", "--listen", "29470"], "localhost:29470 is used twice"),
        (["--nmea", "2947"], "localhost:2947 is used twice"),
        (["--listen", "*:29470", "--http", "29470"], "*:29470 and localhost:29470 overlap"),
        (
            ["--listen", "29470", "--signalk", "127.0.0.1:29470"],
            "localhost:29470 and 127.0.0.1:29470 overlap"
        ),
        (["--listen", "/tmp/a", "--nmea", "/tmp/a"], "/tmp/a is used twice"),
    ])
    func `the same address for two services is a usage error`(
        _ words: [String], _ expected: String
    ) async throws {
        try await CommandRun.expectFailure(
            ["serve", "simulated"] + words, status: 2, expected)
    }

    @Test(arguments: [
        ["--listen", "0", "--nmea", "0", "--http", "0"], ["--listen", "29470", "--nmea", "29471"],
        ["--listen", "127.0.0.1:29470", "--nmea", "127.0.0.2:29470"],
        ["--listen", "29470", "--nmea", "127.0.0.2:29470"],
        ["--listen", "127.0.0.1:29470", "--listen", "[::1]:29470"],
        ["--listen", "FOLDER/a", "--nmea", "FOLDER/b"],
    ])
    func `different addresses, and free ports, are accepted`(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("serve.toml", Array("sources = [\"simulated\"]\n".utf8))
        let run = try await CommandRun(
            words: ["serve", "--check-config", "--config", path]
                + words.map { $0.replacing("FOLDER", with: folder.path) })
        #expect(await run.status() == 0)
    }

    @Test func `a rate is refused for a recording`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", ScriptedReceiver.epoch(0))
        try await CommandRun.expectFailure(
            ["monitor", path, "--baud", "4800"], status: 2, "a recording has no baud rate")
    }

    @Test(arguments: ["48.2, 16.37", "48.2 16.37", " 48.2,16.37"])
    func `a duration is in seconds or has units, and a position may have a blank`(
        _ place: String
    ) async throws {
        let folder = try TemporaryFolder()
        let truth = folder.path("truth")
        let run = try await CommandRun(words: [
            "simulate", "--at", place, "-d", "1min 2s", "--accelerate", "10000", "--truth",
            truth,
        ])
        #expect(await run.status() == 0)
        let lines = try String(decoding: folder.bytes("truth"), as: UTF8.self).split(
            separator: "\n")
        #expect(lines.count == 62)
        #expect(lines.allSatisfy { $0.contains("\"lat\":48.2,\"lon\":16.37,") })
    }

    @Test(arguments: [["help", "convert"], ["convert", "-h"], ["convert", "--help"]])
    func `all usual spellings request help`(_ words: [String]) async throws {
        let run = try await CommandRun(words: words)
        let lines = try await run.lines()
        #expect(lines.first?.hasPrefix("Usage: gpsbridge convert") == true)
        #expect(lines.contains { $0.contains("--after=TIME") })
        #expect(!lines.contains { $0.contains("--from") })
        #expect(await run.status() == 0)
    }

    @Test(arguments: [["help"], ["-h"], ["--help"]])
    func `the overview has the table of exit statuses`(_ words: [String]) async throws {
        let run = try await CommandRun(words: words)
        let lines = try await run.lines()
        #expect(lines.contains("Exit status:"))
        #expect(lines.allSatisfy { $0.count < 80 })
        #expect(await run.status() == 0)
    }

    @Test(arguments: [["-n", "4"], ["-n", "3"]])
    func `fewer fixes than requested have a separate exit status`(
        _ words: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let run = try await CommandRun(
            words: ["monitor", path, "-f", "text", "--speed", "1000"] + words)
        #expect(try await run.lines().count == 3)
        #expect(await run.status() == (words[1] == "4" ? 3 : 0))
    }

    @Test func `too few fixes at the end of the duration have the same exit status`() async throws {
        let receiver = try ScriptedReceiver()
        try await CommandRun.expectFailure(
            ["monitor", receiver.path, "-f", "text", "-n", "1", "-d", "0.2"], status: 3,
            "--duration is over, but 1 more")
    }

    @Test func `no data at the end of the duration is reported, and has the same exit status`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await CommandRun.expectFailure(
            ["monitor", receiver.path, "-f", "text", "-d", "0.2"], status: 3,
            "no usable data came from \(receiver.path)")
    }

    @Test func `control characters of a name do not reach the terminal`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("red\u{1B}[31m.nmea", [])
        let run = try await CommandRun(words: ["convert", path, "--to", "json"])
        #expect(
            try await run.messages() == [
                "gpsbridge: \(folder.path("red"))\\u{1B}[31m.nmea is empty"
            ])
    }

    @Test
    func `statistics are text, comments are not other data, and an empty file is reported`()
        async throws
    {
        let folder = try TemporaryFolder()
        let empty = try folder.file("empty.nmea", [])
        let none = try await CommandRun(words: ["convert", empty, "--to", "json", "--stats"])
        #expect(try await none.message(with: "the file is empty: 0 sentences") != nil)
        let path = folder.path("a.nmea")
        // On a busy machine, a second may pass before the first sentence.
        for _ in 0..<5 where !String(decoding: readFile(path), as: UTF8.self).contains("GGA") {
            let record = try await CommandRun(
                words: ["record", "simulated:rate=20", "-o", path, "-d", "1"])
            #expect(await record.status() == 0)
        }
        let stats = try await CommandRun(words: ["convert", path, "--to", "csv", "--stats"])
        let message = try await stats.message()
        #expect(message?.contains("sentences decoded") == true, "\(message ?? "")")
        #expect(message?.contains("other data") == false, "\(message ?? "")")
    }
}

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
        // As for every other file that is missing: the words of the command line are right.
        #expect(await run.status() == 1)
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
        ("serve", "listen = \"/nonexistent/x\"", "create its folder first"),
        ("serve", "signalk = \"/\(String(repeating: "x", count: 200))\"", "File name too long"),
        ("serve", "listen = \"/etc/passwd\"", "the file there is not a socket"),
        (
            "serve", "listen = \"no.such.host.invalid:0\"",
            "host of no.such.host.invalid:0 was not found"
        ),
        (
            "serve", "nmea = \"udp://no.such.host.invalid:1\"",
            "host of udp://no.such.host.invalid:1"
        ),
        ("serve", "pps = \"/dev/pps97\"", "There is no /dev/pps97"),
        ("serve", "http = 0\ntiles = \"/nonexistent.pmtiles\"", "cannot read /nonexistent.pmtiles"),
        ("record", "output = \"/nonexistent/a.nmea\"", "cannot record to /nonexistent/a.nmea"),
    ])
    func `a check finds what the start would find on this machine`(
        _ command: String, _ line: String, _ expected: String
    ) async throws {
        let folder = try TemporaryFolder()
        let text = "sources = [\"simulated\"]\n\(line)\n"
        let path = try folder.file("g.toml", Array(text.utf8))
        let run = try await CommandRun(words: [command, "--config", path, "--check-config"])
        let message = try await run.message()
        #expect(message?.contains("g.toml:") == true && message?.contains(expected) == true)
        #expect(await run.status() == 1)
    }

    @Test(arguments: [
        (
            "serve", "tcp://no.such.host.invalid:10110",
            "The host of tcp://no.such.host.invalid:10110"
        ),
        ("serve", "gpsd://no.such.host.invalid", "was not found"),
        ("record", "/nonexistent/a", "There is no file /nonexistent/a"),
    ])
    func `a check finds a source whose host or file does not exist`(
        _ command: String, _ source: String, _ expected: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("g.toml", Array("sources = \"\(source)\"\n".utf8))
        let run = try await CommandRun(words: [command, "--config", path, "--check-config"])
        let message = try await run.message()
        #expect(message?.contains("g.toml:1:11: sources: ") == true)
        #expect(message?.contains(expected) == true)
        #expect(await run.status() == 1)
    }

    @Test func `everything that this machine lacks is named at once`() async throws {
        let (messages, status) = try await Self.check(
            """
            sources = ["/dev/ttyUSB97", "/nonexistent/a.nmea"]
            user = "no-such-user"
            control-socket = "/nonexistent/z"
            pps = "/dev/pps97"
            nmea = ["pty:/nonexistent/x", "pty:/nonexistent/y"]
            """)
        let expected = [
            "g.toml:1:11: sources: There is no /dev/ttyUSB97: plug the receiver in or check the name. "
                + "Only names in /dev/serial and /dev/gnss are waited for.",
            "g.toml:1:11: sources: There is no file /nonexistent/a.nmea: check its name.",
            "g.toml:2:8: user: the user 'no-such-user' does not exist",
            "g.toml:4:7: pps: There is no /dev/pps97",
            "g.toml:3:18: control-socket: cannot listen on /nonexistent/z",
            "g.toml:5:8: nmea: cannot create the link /nonexistent/x",
            "g.toml:5:8: nmea: cannot create the link /nonexistent/y",
        ]
        #expect(
            messages.count == expected.count
                && zip(messages, expected).allSatisfy { $0.hasPrefix($1) },
            "\(messages)")
        #expect(status == 1)
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
