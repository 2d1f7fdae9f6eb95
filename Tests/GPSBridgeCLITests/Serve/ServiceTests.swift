// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// The notifications that `gpsbridge` sends to systemd or a compatible service manager.
@Suite(.timeLimit(.generous), .undelayed)
struct ServiceTests {
    @Test func `a recording sends readiness, status, watchdog and stop notifications`()
        async throws
    {
        let folder = try TemporaryFolder()
        let manager = try Manager(folder.path("notify"))
        let receiver = try ScriptedReceiver()
        // Every four seconds. The socket holds about ten datagrams, and others are lost, which must
        // not happen to the last one if the machine pauses.
        let run = try await CommandRun(
            variables: ["NOTIFY_SOCKET=\(folder.path("notify"))", "WATCHDOG_USEC=8000000"],
            words: ["record", receiver.path, "-o", folder.path("track.nmea")])
        let first = await manager.next { !$0.hasPrefix("WATCHDOG") }
        #expect(first == "READY=1")
        let status = await manager.next { $0.hasPrefix("STATUS=") }
        #expect(status?.hasPrefix("STATUS=recording \(receiver.path) to ") == true)
        for _ in 0..<3 { #expect(await manager.next { $0 == "WATCHDOG=1" } != nil) }
        run.send(SIGTERM)
        #expect(await manager.next { $0 == "STOPPING=1" } != nil)
        #expect(await run.status() == 0)
    }

    @Test func `an abstract socket is supported, and a missing listener is ignored`()
        async throws
    {
        let folder = try TemporaryFolder()
        let name = "@gpsbridge-test-\(getpid())"
        let manager = try Manager(name)
        let receiver = try ScriptedReceiver()
        let track = folder.path("track.nmea")
        let words = ["record", receiver.path, "-o", track]
        let run = try await CommandRun(variables: ["NOTIFY_SOCKET=\(name)"], words: words)
        #expect(await manager.next { $0 == "READY=1" } != nil)
        await run.end()
        let alone = try await CommandRun(
            variables: ["NOTIFY_SOCKET=\(folder.path("none"))"], words: words)
        #expect(try await alone.message() != nil)
        await alone.end()
    }

    @Test func `a status is one line, even if a name contains line breaks`() async throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(folder.path("notify"))
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            variables: ["NOTIFY_SOCKET=\(folder.path("notify"))"],
            words: ["record", receiver.path, "-o", folder.path("track\nMAINPID=1.nmea")])
        let status = await manager.next { $0.hasPrefix("STATUS=") }
        #expect(status?.contains("track\\u{A}MAINPID=1") == true)
        run.send(SIGTERM)
        _ = await run.status()
    }

    /// systemd's end of the socket.
    private final class Manager: Sendable {
        private let descriptor: Descriptor

        init(_ name: String) throws {
            let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
            descriptor = Descriptor(fd)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { room in
                room.copyBytes(from: name.utf8)
                if name.hasPrefix("@") { room[0] = 0 }
            }
            let length = socklen_t(2 + name.utf8.count)
            let status = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
            }
            try #require(status == 0)
        }

        /// Returns the next datagram that meets a condition.
        func next(where isWanted: (String) -> Bool) async -> String? {
            while case .bytes(let bytes) = await descriptor.read(atMost: 4096, until: nil) {
                let text = String(decoding: bytes, as: UTF8.self)
                if isWanted(text) { return text }
            }
            return nil
        }
    }
}
