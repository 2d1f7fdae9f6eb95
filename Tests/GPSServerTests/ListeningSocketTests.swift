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

@testable import GPSServer

/// The listening addresses that are shown to the operator.
@Suite(.timeLimit(.generous))
struct AddressTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.1.2.3:80", true), ("[::1]", true), ("localhost", true),
        ("/run/socket", true), ("*", false), ("127.example.org", false), ("192.168.0.1", false),
    ])
    func `only numeric addresses of this machine are local`(text: String, isLocal: Bool) {
        #expect(ListenAddress(text, defaultPort: 1)?.isLocal == isLocal)
    }

    @Test func `every listening address is shown as given, with its port`() async throws {
        let folder = try TemporaryFolder()
        let (gpsd, nmea, http) = (folder.path("gpsd"), folder.path("nmea"), folder.path("http"))
        let link = folder.path("tty")
        var configuration = ServerConfiguration()
        configuration.gpsd = [.loopback(port: 0), .any(port: 0), .unix(gpsd)]
        configuration.sentences = [
            SentenceOutput(.clients(.host("127.0.0.1", port: 0))),
            SentenceOutput(.clients(.unix(nmea))),
            SentenceOutput(.datagrams(host: "127.0.0.1", port: 10110)),
            SentenceOutput(.terminal(link: link)),
        ]
        configuration.http = [.host("127.0.0.1", port: 0), .unix(http)]
        let server = try ReceiverServer(sources: [], configuration: configuration)
        try await server.whileRunning { server in
            let port = server.port ?? 0
            let addresses = server.addresses
            #expect(addresses.contains("serving gpsd's clients at localhost:\(port)"))
            #expect(addresses.contains { $0.hasPrefix("serving gpsd's clients at *:") })
            #expect(!addresses.contains { $0.hasSuffix(":0") })
            #expect(addresses.contains("serving gpsd's clients at \(gpsd)"))
            #expect(
                addresses.contains("serving sentences at 127.0.0.1:\(server.sentencePort ?? 0)"))
            #expect(addresses.contains("serving sentences at \(nmea)"))
            #expect(addresses.contains("sending sentences to udp://127.0.0.1:10110"))
            #expect(addresses.contains("sending sentences to pty:\(link)"))
            let page = "serving the page at http://127.0.0.1:\(server.httpPort ?? 0)/"
            #expect(addresses.contains(page))
            #expect(addresses.contains("serving the page at \(http)"))
            #expect(addresses.count == 9)
        }
    }

    @Test func `an address that is set is not left out as the default one, even if it is equal`() {
        var configuration = ServerConfiguration()
        #expect(configuration.hasDefaultAddress)
        let address = configuration.gpsd
        configuration.gpsd = address
        #expect(!configuration.hasDefaultAddress)
    }

    @Test func `the names of the page are listed`() async throws {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.http = [.loopback(port: 0), .any(port: 0)]
        configuration.page.hosts = ["Boat.example"]
        let server = try ReceiverServer(sources: [], configuration: configuration)
        try await server.whileRunning { server in
            let port = server.httpPort ?? 0
            let local = "serving the page at http://localhost:\(port)/ (also as boat.example)"
            #expect(server.addresses.first == local)
            var name = [CChar](repeating: 0, count: 256)
            try #require(gethostname(&name, 255) == 0)
            let host =
                name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
            let other = try #require(server.addresses.last)
            #expect(other.hasPrefix("serving the page at http://\(host.lowercased()):"))
            #expect(other.contains("boat.example"))
            #expect(other.contains("\(host.lowercased()).local"))
        }
    }

    @Test(arguments: [
        ("127.0.0.2:80", "127.0.0.2", true), ("127.0.0.2:80", "127.0.0.3", false),
        ("Boat.lan:80", "boat.LAN:80", true), ("boat.lan:80", "evil.example", false),
        ("[::1]:80", "[::1]:80", true), ("*:80", "*", false), ("localhost:80", "boat.lan", false),
    ])
    func `requests may name the host of the address that is served`(
        text: String, host: String, isServed: Bool
    ) throws {
        let server = try ReceiverServer(sources: [], configuration: .local)
        let address = try #require(ListenAddress(text, defaultPort: 80))
        let access = server.access(isLocal: address.isLocal, at: address)
        let refusal = access.refusal(host: host, origin: nil, site: nil, isNavigation: false)
        #expect((refusal == nil) == isServed)
    }

    @Test func `the location of a page does not repeat its host`() throws {
        let server = try ReceiverServer(sources: [], configuration: .local)
        let address = ListenAddress.host("127.0.0.2", port: 80)
        let access = server.access(isLocal: true, at: address)
        #expect(access.page(at: address) == "http://127.0.0.2:80/")
    }
}
