// SPDX-License-Identifier: MIT
import GPSIO
import Glibc
import GPSServer
import GPSTestSupport
import Testing

/// The removal of files by a privileged process for an unprivileged one. The clock stands still, so
/// that `finish()` waits for the privileged process without a limit.
@Suite(.timeLimit(.generous))
struct FileRemovalTests {
    @Test func `sockets and links are removed at the end, not before`() async throws {
        let folder = try TemporaryFolder()
        let (socket, link) = (folder.path("gpsd"), folder.path("pty"))
        let sockets = try await ListeningSocket.listen(on: .unix(socket))
        #expect(symlink("/dev/pts/0", link) == 0)
        let removal = try FileRemoval(
            of: [socket, link, folder.path("missing")], poller: .standing)
        #expect(Self.exists(socket) && Self.exists(link))
        await removal.finish()
        #expect(!Self.exists(socket) && !Self.exists(link))
        for socket in sockets { socket.close() }
    }

    @Test func `sockets and links are removed if the process is killed`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("pty")
        #expect(symlink("/dev/pts/0", link) == 0)
        // Releasing the object closes its descriptor, like the end of a process.
        try withExtendedLifetime(FileRemoval(of: [link])) {}
        while Self.exists(link) { await Task.yield() }
    }

    @Test func `replaced sockets and other files are kept`() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path("gpsd")
        let track = try folder.file("track.nmea", Array("$GPGGA".utf8))
        let old = try await ListeningSocket.listen(on: .unix(socket))
        let removal = try FileRemoval(of: [socket, track, folder.path], poller: .standing)
        #expect(unlink(socket) == 0)
        let new = try await ListeningSocket.listen(on: .unix(socket))
        await removal.finish()
        #expect(Self.exists(socket) && Self.exists(track))
        for socket in old + new { socket.close() }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
