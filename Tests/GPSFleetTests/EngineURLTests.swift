// SPDX-License-Identifier: MIT
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// Addresses of engines, and files with secrets.
@Suite(.timeLimit(.generous))
struct EngineURLTests {
    @Test func `an address of NATS has several servers, a user and a path`() throws {
        let url = try EngineURL("nats://bus@a.example,[::1]:5222/buses/b-7")
        #expect(url.engine == .nats && !url.isSecure && url.user == "bus")
        #expect(
            url.servers == [
                NetworkEndpoint(host: "a.example", port: 4222),
                NetworkEndpoint(host: "::1", port: 5222),
            ])
        #expect(url.path == ["buses", "b-7"])
        #expect(try EngineURL("mqtts://broker").servers.first?.port == 8883)
    }

    @Test(arguments: [
        "http://a", "nats://", "nats://a:x", "mqtt://a,b", "nats://a:0", "nats://,",
    ])
    func `invalid addresses are rejected`(_ text: String) {
        #expect(throws: FleetError.self) { try EngineURL(text) }
    }

    @Test func `a password in an address is rejected and not printed`() {
        let error = #expect(throws: FleetError.self) { try EngineURL("nats://me:secret@a") }
        #expect(error?.description.contains("--password-file") == true)
        #expect(error?.description.contains("secret@") == false)
    }

    @Test func `a secret file that others can read is rejected`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("password", Array("hidden\nmore\n".utf8))
        #expect(chmod(path, 0o640) == 0)
        let error = #expect(throws: FleetError.self) { try SecretFile(path) }
        #expect(error?.description.contains("chmod 600") == true)
        #expect(chmod(path, 0o600) == 0)
        #expect(try SecretFile(path).firstLine() == "hidden")
    }
}
