// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

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
