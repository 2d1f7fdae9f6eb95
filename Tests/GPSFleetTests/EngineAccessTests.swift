// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestSupport
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
            _ = try folder.file("GPSBRIDGE_\(name)", Array("hidden\n".utf8))
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
        given.password = try SecretFile(try folder.file("given", Array("hidden\n".utf8)))
        given.nkey = given.password
        given.authorities = "/ca"
        let access = try access("nats://hub", given)
        #expect(name(access.password) == "given" && name(access.nkey) == "given")
        #expect(access.authorities == "/ca")
    }

    @Test func `the password of another target's user is not a NATS token`() throws {
        var access = EngineAccess()
        access.password = try SecretFile(try folder.file("password", Array("hidden\n".utf8)))
        access.nkey = access.password
        let hub = try EngineURL("nats://hub")
        let userHub = try EngineURL("nats://bus@other")
        let broker = try EngineURL("mqtt://bus@broker")
        #expect(access.forTarget(hub, among: [hub]).password != nil)
        for other in [broker, userHub, try EngineURL("https://tracker")] {
            let mixed = access.forTarget(hub, among: [hub, other])
            #expect(mixed.password == nil && mixed.nkey != nil)
            #expect(access.forTarget(other, among: [hub, other]).password != nil)
        }
        #expect(access.forTarget(broker, among: [hub, broker]).nkey == nil)
        #expect(access.forTarget(broker, among: [broker]) == access)
    }

    @Test func `a password is for the targets with a user, and others connect without it`() throws {
        var access = EngineAccess()
        access.password = try SecretFile(try folder.file("password", Array("hidden\n".utf8)))
        let broker = try EngineURL("mqtt://bus@broker")
        for other in ["https://tracker", "mqtt://other"] {
            let url = try EngineURL(other)
            #expect(access.forTarget(url, among: [broker, url]).password == nil)
            #expect(access.forTarget(broker, among: [broker, url]).password != nil)
            // Without any user, the engine explains that the password needs one.
            #expect(access.forTarget(url, among: [url]).password != nil)
        }
    }
}
