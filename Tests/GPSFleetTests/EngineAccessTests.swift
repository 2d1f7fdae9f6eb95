// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestSupport
import Glibc
import Testing

/// Which files with secrets are used for which address.
@Suite(.timeLimit(.generous))
struct EngineAccessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The access to an address in an environment where every variable names a file.
    private func access(
        _ url: String, _ access: EngineAccess = EngineAccess()
    ) throws -> EngineAccess {
        for name in ["CREDENTIALS", "NKEY", "PASSWORD_FILE", "TOKEN_FILE", "KEY"] {
            let path = try folder.file("GPSBRIDGE_\(name)", Array("hidden\n".utf8))
            #expect(chmod(path, 0o600) == 0)
        }
        return try access.completed(for: try EngineURL(url)) { folder.path($0) }
    }

    private func name(_ file: SecretFile?) -> String? {
        file.flatMap { $0.path.split(separator: "/").last.map(String.init) }
    }

    @Test(
        arguments: [
            ("nats://hub", "GPSBRIDGE_TOKEN_FILE"), ("tls://hub/f/b", "GPSBRIDGE_TOKEN_FILE"),
            ("nats://bus@hub", "GPSBRIDGE_PASSWORD_FILE"),
            ("mqtt://bus@broker", "GPSBRIDGE_PASSWORD_FILE"), ("mqtt://broker", nil),
        ] as [(String, String?)])
    func `a password of the environment needs a user, and a token is for NATS without one`(
        _ url: String, _ file: String?
    ) throws {
        let password = try access(url).password
        #expect(name(password) == file)
    }

    @Test func `other files of the environment are used where they are understood`() throws {
        let hub = try access("nats://hub")
        #expect(name(hub.credentials) == "GPSBRIDGE_CREDENTIALS")
        #expect(name(hub.nkey) == "GPSBRIDGE_NKEY")
        let broker = try access("mqtts://broker")
        #expect(broker.credentials == nil && broker.nkey == nil)
        for access in [hub, broker] {
            #expect(access.authorities == folder.path("GPSBRIDGE_CA"))
            #expect(access.certificate == folder.path("GPSBRIDGE_CERT"))
            #expect(name(access.key) == "GPSBRIDGE_KEY")
        }
    }

    @Test func `files that the command line names are not replaced`() throws {
        var given = EngineAccess()
        let path = try folder.file("given", Array("hidden\n".utf8))
        #expect(chmod(path, 0o600) == 0)
        given.password = try SecretFile(path)
        given.nkey = given.password
        given.authorities = "/ca"
        let access = try access("nats://hub", given)
        #expect(name(access.password) == "given" && name(access.nkey) == "given")
        #expect(access.authorities == "/ca")
    }
}
