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
