// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// A tty that another program reads without locking it.
@Suite(.timeLimit(.generous), .undelayed)
struct SharedTTYTests {
    /// Calls the body with a receiver that this process reads without a lock.
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
            #expect(
                message?.contains("\(receiver.path) is also read by") == true, "\(message ?? "")")
            #expect(message?.contains("each gets only part of the bytes") == true)
            await run.end()
        }
    }

    /// Sends an epoch, and waits for 50 ms.
    private func sendEpoch(_ second: Int, _ receiver: ScriptedReceiver) async throws {
        await receiver.sendEpoch(second)
        let pause = await Poller.shared.sleep(until: .now + .milliseconds(50))
        guard pause == .timedOut else { throw CancellationError() }
    }

    @Test(arguments: ["monitor", "record", "serve"])
    func `another reader that begins later is detected by missing bytes, and reported once`(
        _ command: String
    ) async throws {
        let receiver = try ScriptedReceiver()
        // After locking, only root can open it, but another program may have opened it before.
        let other = try DescriptorInTransit(tty: receiver.path)
        try await expectReport(command, receiver) { try other.receive() }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a program of root that opens a locked tty is reported`() async throws {
        let receiver = try ScriptedReceiver()
        try await expectReport("monitor", receiver) {
            open(receiver.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may open a locked tty"))
    func `other programs cannot open a tty that is read`() async throws {
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["monitor", receiver.path, "-b", "9600", "-f", "csv"])
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        // The first line names the columns, and is printed before the tty is locked.
        #expect(try await run.line(with: ",3D,") != nil)
        #expect(open(receiver.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) < 0)
        #expect(errno == EBUSY)
        await run.end()
    }

    @Test func `the page names the other program also while there is a fix`() async throws {
        try await withReadReceiver { receiver, _ in
            let run = try await CommandRun(words: [
                "serve", receiver.path, "-b", "9600", "--user", "root", "--listen", "127.0.0.1:0",
                "--http", "127.0.0.1:0",
            ])
            let page = try #require(try await run.message(with: "the page at http://"))
            let port = try #require(
                page.split { $0 == ":" || $0 == "/" }.lazy.compactMap { UInt16($0) }.first)
            #expect(try await run.message(with: "is also read by") != nil)
            var (state, second) = ("", 0)
            // A silent receiver has no fix.
            while !state.contains("\"tpv\"") {
                try Task.checkCancellation()
                for _ in 0..<3 {
                    await receiver.sendEpoch(second)
                    second += 1
                }
                let client = try await CommandRun(
                    "/usr/bin/env",
                    words: [
                        "bash", "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET /state HTTP/1.1\\r\\n"
                            + "Host: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3",
                    ])
                state = try await client.lines().joined()
            }
            #expect(state.contains("\"sharing\":\"\(receiver.path) is also read by"))
            await run.end()
        }
    }

    /// Runs a command on a receiver that another program begins to read after some time.
    private func expectReport(
        _ command: String, _ receiver: ScriptedReceiver,
        readingBy open: () throws -> CInt
    ) async throws {
        let folder = try TemporaryFolder()
        let words = [
            "monitor": ["-f", "csv", "-b", "9600"],
            "record": ["-o", folder.path("a.nmea"), "-b", "9600"],
            "serve": ["-l", folder.path("s"), "-b", "9600", "--user", "root"],
        ]
        let run = try await CommandRun(words: [command, receiver.path] + (words[command] ?? []))
        await receiver.waitForReader()
        for second in 0..<10 { try await sendEpoch(second, receiver) }
        // From here on, the other program reads every other epoch.
        let descriptor = try open()
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sending = Task(executorPreference: Poller.shared) {
            for second in stride(from: 10, to: 3600, by: 2) {
                try await sendEpoch(second, receiver)
            }
        }
        #expect(try await run.message(with: "each gets only part of the bytes") != nil)
        sending.cancel()
        run.send(SIGTERM)
        #expect(try await run.message(with: "each gets only part of the bytes") == nil)
        #expect(await run.status() == 0)
    }

    @Test func `record refuses a tty that another program reads, and leaves no file`() async throws
    {
        try await withReadReceiver { receiver, folder in
            let words = ["record", receiver.path, "-o", folder.path("a.gpx")]
            let run = try await CommandRun(words: words)
            let message = try await run.message()
            let expected = "already reads it: stop that program first"
            #expect(message?.contains(expected) == true, "\(message ?? "")")
            #expect(message?.contains("--share") == true)
            #expect(await run.status() == 1)
            #expect(access(folder.path("a.gpx"), F_OK) != 0)
        }
    }

    @Test func `another reader of a receiver that is plugged in again does not end a recording`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (path, file) = (folder.path("gps"), folder.path("a.nmea"))
        func count(_ bytes: [UInt8]) -> Int { lines(of: bytes).count { $0.contains("GGA") } }
        let first = try ScriptedReceiver(link: path)
        let run = try await CommandRun(words: ["record", path, "-b", "9600", "-o", file])
        await first.waitForReader()
        await first.sendEpoch(0)
        try await waitForFile(file) { count($0) == 1 }
        first.unplug()
        #expect(try await run.message(with: "is gone") != nil)
        let second = try ScriptedReceiver(link: folder.path("other"))
        let descriptor = open(second.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(symlink(second.path, path) == 0)
        #expect(try await run.message(with: "is also read by") != nil)
        await second.sendEpoch(1)
        try await waitForFile(file) { count($0) == 2 }
        await run.end()
    }

    @Test func `record reads a tty that another program reads with --share`() async throws {
        try await withReadReceiver { receiver, folder in
            let words = ["record", receiver.path, "-o", folder.path("a.nmea"), "--share"]
            let run = try await CommandRun(words: words)
            #expect(try await run.message(with: "recording \(receiver.path)") != nil)
            await run.end()
        }
    }

    @Test(arguments: [[], ["--share"]])
    func `record recommends --share only if that helps`(_ share: [String]) async throws {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let monitor = try await CommandRun(
            words: ["monitor", receiver.path, "-b", "9600", "-f", "json"])
        await receiver.waitForReader()
        // It has locked the tty when it reports that it reads it.
        _ = try await monitor.line()
        let run = try await CommandRun(
            words: ["record", receiver.path, "-o", folder.path("a.nmea")] + share)
        let message = try await run.message()
        #expect(message?.contains(" has locked it: stop that program first") == true)
        #expect(message?.contains("--share") == false, "\(message ?? "")")
        #expect(await run.status() == 1)
        monitor.send(SIGTERM)
        _ = await monitor.status()
    }
}

/// The state of a tty after a command has read it.
@Suite(.timeLimit(.generous))
struct TTYAfterwardsTests {
    /// Calls the body with a tty opened like another program would later. For users other than root, this fails if
    /// the tty is still locked.
    private func open(_ path: String, _ body: (CInt, inout termios) -> Void) throws {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0, "errno \(errno)")
        defer { close(descriptor) }
        var settings = termios()
        try #require(tcgetattr(descriptor, &settings) == 0)
        body(descriptor, &settings)
    }

    @Test(arguments: ["monitor", "record", "serve", "doctor"])
    func `a tty has its settings back and is not locked, however early monitor ends`(
        _ command: String
    ) async throws {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let words = [
            "monitor": ["-f", "csv"], "record": ["-o", folder.path("a.nmea")],
            "serve": ["-l", folder.path("s"), "--user", "root"], "doctor": [],
        ]
        for round in 0..<8 {
            try open(receiver.path) { descriptor, settings in
                settings.c_lflag |= tcflag_t(ECHO)
                cfsetspeed(&settings, speed_t(B4800))
                #expect(tcsetattr(descriptor, TCSANOW, &settings) == 0)
            }
            let run = try await CommandRun(
                words: [command, receiver.path] + (words[command] ?? []))
            await run.waitUntilReading(receiver)
            if round % 2 == 1 { await receiver.sendEpoch(round) }
            run.send(SIGTERM)
            _ = await run.status()
            try open(receiver.path) { descriptor, settings in
                // TIOCGEXCL is not imported into Swift.
                var isLocked: CInt = 0
                #expect(ioctl(descriptor, 0x8004_5440, &isLocked) == 0)
                #expect(isLocked == 0)
                #expect(settings.c_lflag & tcflag_t(ECHO) != 0)
                #expect(cfgetospeed(&settings) == speed_t(B4800))
            }
        }
    }
}

@Suite(.timeLimit(.generous))
struct DescriptorTests {
    private let capture = (0..<3).flatMap { ScriptedReceiver.epoch($0) }

    @Test(arguments: ["itself", "hard link", "symbolic link"])
    func `a recording is not overwritten by its conversion`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("itself", capture)
        if name == "hard link" { #expect(link(path, folder.path(name)) == 0) }
        if name == "symbolic link" { #expect(symlink(path, folder.path(name)) == 0) }
        for (words, input) in [(path, "/dev/null"), ("-", path)] {
            let run = try await CommandRun(
                words: ["convert", words, "--to", "json", "-o", folder.path(name)], input: input)
            let expected =
                "cannot write to \(folder.path(name)): it is the recording itself; give the output another name"
            #expect(try await run.messages() == ["gpsbridge: \(expected)"])
            #expect(await run.status() == 1)
        }
        let again = try await CommandRun(words: ["convert", path, "--to", "json"])
        #expect(try await again.lines().count == 3)
    }

    @Test func `a longer file is emptied before it is written to`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let words = ["convert", path, "--to", "json", "-o"]
        let target = try folder.file("track.json", [UInt8](repeating: 0x20, count: 5000))
        #expect(await (try CommandRun(words: words + [target])).status() == 0)
        let direct = try await CommandRun(words: words.dropLast())
        #expect(try await lines(of: readFile(target)) == direct.lines())
    }

    @Test func `closed standard input is empty`() async throws {
        let run = try await CommandRun(words: ["monitor", "-", "-f", "json"], closed: [0])
        let expected = ["gpsbridge: standard input contains no valid sentence"]
        #expect(try await run.messages() == expected)
        #expect(await run.status() == 3)
    }

    @Test func `closed standard output is an error, even if a file has its descriptor`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let run = try await CommandRun(words: ["convert", path, "--to", "json"], closed: [1])
        let expected = ["gpsbridge: cannot write to standard output: Bad file descriptor"]
        #expect(try await run.messages() == expected)
        #expect(await run.status() == 1)
        let quiet = try await CommandRun(
            words: ["convert", path, "--to", "json"], closed: [0, 1, 2])
        #expect(await quiet.status() == 1)
    }

    @Test func `the first signal ends the wait for a pipe's writer`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try await CommandRun(words: ["convert", pipe, "--to", "json"])
        await run.waitUntilOpen(pipe)
        run.send(SIGINT)
        #expect(await run.status() == 130)
    }

    @Test func `the first signal ends the wait for a pipe's reader`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try await CommandRun(words: ["convert", path, "--to", "json", "-o", pipe])
        await run.waitUntilOpen(path)
        run.send(SIGINT)
        #expect(await run.status() == 130)
    }

    @Test func `a pipe receives the output`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try await CommandRun(words: ["convert", path, "--to", "json", "-o", pipe])
        let reader = try await CommandRun("/bin/cat", words: [pipe])
        #expect(try await reader.lines().count == 3)
        #expect(await run.status() == 0)
    }
}
