// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

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
