// SPDX-License-Identifier: MIT
import GPSServer
import GPSTestSupport
import Glibc
import Testing

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
}
