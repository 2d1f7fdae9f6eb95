// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSServer
import GPSTestSupport
import Glibc
import Testing

/// Sockets that accept connections, and the files of Unix sockets.
@Suite(.timeLimit(.generous))
struct ListeningSocketTests {
    @Test func `a file at the path of a Unix socket is kept and named in the error`() async throws {
        let folder = try TemporaryFolder()
        let track = try folder.file("track.nmea", Array("$GPGGA".utf8))
        let link = folder.path("link")
        #expect(symlink(track, link) == 0)
        for path in [track, link, folder.path("")] {
            let error = await #expect(throws: ServerError.self) {
                try await ListeningSocket.listen(on: .unix(path))
            }
            #expect(error?.description.contains(path) == true)
            #expect(error?.description.contains("not a socket") == true)
        }
        #expect(access(track, F_OK) == 0)
        #expect(access(link, F_OK) == 0)
    }

    @Test func `a Unix socket has the name that was given, even if it is not UTF-8`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(FileName.string([0x63, 0xE9]))
        let sockets = try await ListeningSocket.listen(on: .unix(path))
        #expect(access(FileName.native(path), F_OK) == 0)
        for socket in sockets { socket.close() }
        #expect(access(FileName.native(path), F_OK) != 0)
    }

    @Test func `a missing folder is reported`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("missing/gpsd.sock")
        let error = await #expect(throws: ServerError.self) {
            try await ListeningSocket.listen(on: .unix(path))
        }
        #expect(error?.errno == ENOENT)
        #expect(error?.description.contains("create its folder first") == true)
    }

    // The address is reserved for documentation (RFC 5737).
    @Test func `an address of another machine is reported with advice`() async {
        let error = await #expect(throws: ServerError.self) {
            try await ListeningSocket.listen(on: .host("192.0.2.1", port: 0))
        }
        #expect(error?.description.contains("does not have this address") == true)
    }

    @Test(arguments: ["missing/gpsd.sock", "pty:missing/pty"])
    func `a server that cannot listen on every address leaves no socket`(
        other: String
    ) async throws {
        let folder = try TemporaryFolder()
        let (path, terminal) = (folder.path("gpsd.sock"), folder.path("pty"))
        func start() async throws {
            var configuration = ServerConfiguration()
            configuration.gpsd = [.unix(path)]
            let last = other.replacing("missing", with: folder.path("missing"))
            configuration.sentences = try ["pty:\(terminal)", last].map {
                try #require(SentenceOutput($0))
            }
            try await ReceiverServer(sources: [], configuration: configuration).listen()
        }
        let error = await #expect(throws: ServerError.self) { try await start() }
        #expect(error?.errno == ENOENT)
        #expect(error?.description.contains(folder.path("missing")) == true)
        var status = stat()
        #expect(lstat(path, &status) != 0 && lstat(terminal, &status) != 0)
    }

    @Test func `only the server's own socket is removed when it ends`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("gpsd.sock")
        let sockets = try await ListeningSocket.listen(on: .unix(path))
        #expect(unlink(path) == 0)
        let successor = try await ListeningSocket.listen(on: .unix(path))
        for socket in sockets { socket.close() }
        #expect(access(path, F_OK) == 0)
        for socket in successor { socket.close() }
        #expect(access(path, F_OK) != 0)
    }

    @Test
    func `an address is opened in addition to sockets of systemd, or refused, but not ignored`()
        async throws
    {
        let folder = try TemporaryFolder()
        let passed = try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0))
        let port = try #require(passed.first?.port)
        let path = ListenAddress.unix(folder.path("gpsd.sock"))
        let other = ListenAddress.host("127.0.0.1", port: 0)
        // Clients of this machine reach the socket that was passed; other machines do not.
        let (opened, refused) = try await ListeningSocket.listen(
            on: [.loopback(port: port), .any(port: port), path, other], addingTo: passed)
        #expect(opened.map(\.address) == [path, other])
        #expect(opened.allSatisfy { $0.sockets.count == 1 })
        #expect(refused == [.any(port: port)])
        for socket in passed + opened.flatMap(\.sockets) { socket.close() }
    }

    @Test func `a socket of systemd for all addresses serves each of them`() async throws {
        let passed = try await ListeningSocket.listen(on: .host("0.0.0.0", port: 0))
        let port = try #require(passed.first?.port)
        let (opened, refused) = try await ListeningSocket.listen(
            on: [.any(port: port), .loopback(port: port), .host("127.0.0.1", port: port)],
            addingTo: passed)
        #expect(opened.isEmpty && refused.isEmpty)
        for socket in passed { socket.close() }
    }

    @Test func `a descriptor that does not listen is an error`() async throws {
        let (reading, writing) = try pipe()
        defer { close(writing) }
        let socket = ListeningSocket(inherited: reading, poller: .clients)
        await #expect(throws: IOError.self) { _ = try await socket.accept() }
    }

    private func pipe() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}
