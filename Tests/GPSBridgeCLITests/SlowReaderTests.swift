// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
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

/// Host names on a machine without `/etc/hosts` and without a name server.
@Suite(.timeLimit(.generous))
struct LocalhostTests {
    /// Removed at the end of the process, since other processes use it.
    private static let folder = Result { try TemporaryFolder() }

    /// Runs a program on such a machine. With `dns`, it asks a name server that it cannot reach.
    private static func run(
        _ program: String, _ words: String..., hosts: String = "files"
    ) async throws -> CommandRun {
        let sources = try folder.get().file(
            "nsswitch-\(hosts).conf", Array("hosts: \(hosts)\n".utf8))
        let script = """
            { [ ! -e /etc/hosts ] || mount --bind /dev/null /etc/hosts; } &&
                { [ ! -e /etc/nsswitch.conf ] || mount --bind "$0" /etc/nsswitch.conf; } && exec "$@"
            """
        let network = hosts == "dns" ? ["--net"] : []
        return try await CommandRun(
            "/usr/bin/env",
            words: ["unshare", "--user", "--map-root-user", "--mount"] + network
                + ["sh", "-c", script, sources, program] + words)
    }

    /// Whether this user may create such a machine.
    private static func canHideNames() async throws -> Bool {
        try await run("true").status() == 0
    }

    @Test(.enabled("needs user namespaces") { try await canHideNames() })
    func `localhost is this machine, even if the system cannot resolve it`() async throws {
        let run = try await Self.run(
            CommandRun.executable, "monitor", "-f", "json", "tcp://localhost:1")
        #expect(try await run.message(with: "tcp://localhost:1")?.contains("The host of") == false)
        #expect(await run.status() == 1)
    }

    @Test(.enabled("needs user namespaces") { try await canHideNames() })
    func `an unknown host is reported, and delays no other source`() async throws {
        let unknown = "tcp://no-such-host:1"
        let alone = try await Self.run(CommandRun.executable, "monitor", "-f", "json", unknown)
        let message = "The host of \(unknown) was not found: check its name and the network."
        #expect(try await alone.messages() == ["gpsbridge: \(message)"])
        #expect(await alone.status() == 1)
        let both = try await Self.run(
            CommandRun.executable, "monitor", "-f", "json", "simulated:rate=20", unknown)
        #expect(try await both.message(with: "The host of") == "gpsbridge: waiting: \(message)")
        #expect(try await both.line(with: "TPV") != nil)
        await both.end()
    }

    @Test(
        .enabled("needs user namespaces") {
            try await run("true", hosts: "dns").status() == 0
        })
    func `the reason why a name server cannot be asked is reported`() async throws {
        let source = "tcp://no-such-host.invalid:1"
        let run = try await Self.run(
            CommandRun.executable, "monitor", "-f", "json", source, hosts: "dns")
        let reason = String(cString: gai_strerror(EAI_AGAIN))
        #expect(try await run.message(with: "The host of \(source)")?.contains(reason) == true)
        #expect(await run.status() == 1)
    }
}

/// A receiver that sends UBX without positions, and some text.
@Suite(.timeLimit(.generous))
struct BinaryReceiverTests {
    private static let frame: [UInt8] = [
        0xB5, 0x62, 0x01, 0x03, 0x02, 0x00, 0x05, 0x06, 0x11, 0x2D,
    ]
    private static let text = Array("$GPTXT,01,01,02,ANTSTATUS=OK*3B\r\n".utf8)
    private static let bytes = text + repeatElement(frame, count: 20).joined() + text
    private static let expected = "UBX without positions: "

    @Test(arguments: ["monitor", "record", "serve"])
    func `a binary protocol is reported while reading`(_ command: String) async throws {
        let terminal = try PseudoTerminal()
        let folder = try TemporaryFolder()
        let words = [
            "monitor": ["-f", "json", "-b", "9600"],
            "record": ["-o", folder.path("a.gpx"), "-b", "9600"],
            "serve": ["-l", folder.path("s"), "-b", "9600", "--user", "root"],
        ]
        let sending = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                await terminal.write(Self.bytes, whenFull: .drop)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(200))
            }
        }
        let run = try await CommandRun(words: [command, terminal.path] + (words[command] ?? []))
        let message = try await run.message(with: Self.expected)
        #expect(message?.contains("\(terminal.path) sends UBX") == true)
        #expect(message?.contains("ubxtool -e NMEA") == true)
        sending.cancel()
        await sending.value
        run.send(SIGTERM)
        _ = await run.status()
    }

    @Test(arguments: [
        ["convert", "$0", "--to", "csv"], ["convert", "-", "--to", "json"],
        ["convert", "$0", "--summary"],
        ["monitor", "$0", "-f", "text"], ["monitor", "-", "-f", "json"],
        ["record", "$0", "-o", "$1.gpx"],
    ])
    func `a binary recording is reported, with status 3`(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.ubx", Self.bytes)
        let run = try await CommandRun(
            words: words.map {
                $0.replacing("$0", with: file).replacing("$1", with: folder.path("out"))
            }, input: file)
        let message = try await run.message(with: Self.expected)
        #expect(message?.contains("record it again, but first switch NMEA or NAV-PVT on") == true)
        #expect(try await run.messages().allSatisfy { !$0.contains("valid sentence") })
        #expect(await run.status() == 3)
    }

    @Test func `a long binary recording is reported by several cores`() async throws {
        let folder = try TemporaryFolder()
        let count = (5 << 20) / Self.bytes.count
        let file = try folder.file(
            "a.ubx", Array(repeatElement(Self.bytes, count: count).joined()))
        let run = try await CommandRun(words: ["convert", file, "--to", "csv", "-j", "2"])
        #expect(try await run.message(with: Self.expected) != nil)
        #expect(await run.status() == 3)
    }

    @Test func `bytes of a binary protocol are recorded`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.ubx", Self.bytes)
        let run = try await CommandRun(words: ["record", file, "-o", folder.path("b.ubx")])
        #expect(try await run.message(with: Self.expected) != nil)
        #expect(await run.status() == 0)
        #expect(try folder.bytes("b.ubx").suffix(100).elementsEqual(Self.bytes.suffix(100)))
    }
}
