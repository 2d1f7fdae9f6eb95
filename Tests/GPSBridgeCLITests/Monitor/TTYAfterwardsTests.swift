// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// How a command leaves the tty that it has read.
@Suite(.timeLimit(.generous))
struct TTYAfterwardsTests {
    /// Opens a tty as another program does afterwards, which for users other than root fails if it is
    /// still locked, and calls the body with it.
    private func open(_ path: String, _ body: (CInt, inout termios) -> Void) throws {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0, "errno \(errno)")
        defer { close(descriptor) }
        var settings = termios()
        try #require(tcgetattr(descriptor, &settings) == 0)
        body(descriptor, &settings)
    }

    @Test(arguments: ["monitor", "record", "serve", "doctor"])
    func `a tty has its settings back and is not locked, however early the end comes`(
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
            await receiver.waitForReader()
            if round % 2 == 1 { await receiver.say(round) }
            run.send(SIGTERM)
            _ = await run.status()
            try open(receiver.path) { descriptor, settings in
                // TIOCGEXCL, which Swift does not import.
                var isLocked: CInt = 0
                #expect(ioctl(descriptor, 0x8004_5440, &isLocked) == 0)
                #expect(isLocked == 0)
                #expect(settings.c_lflag & tcflag_t(ECHO) != 0)
                #expect(cfgetospeed(&settings) == speed_t(B4800))
            }
        }
    }
}
