// SPDX-License-Identifier: MIT
import GPSFleet
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
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
        "ftp://a", "nats://", "nats://a:x", "nats://a:+80", "mqtt://a,b", "nats://a:0", "nats://,",
        "http://", "http://a,b", "https://a:0", "http://a/b c", "http://a/#b", "https://a/é",
        "http://[::1", "nats://[::1:4222", "mqtt://::1]",
    ])
    func `invalid addresses are rejected`(_ text: String) {
        #expect(throws: FleetError.self) { try EngineURL(text) }
    }

    @Test func `an address of HTTP is used without the user`() throws {
        let url = try EngineURL("https://bus@[::1]:5055/api//hook/")
        #expect(url.engine == .http && url.isSecure && url.user == "bus")
        #expect(url.address == "https://[::1]:5055/api//hook/")
        #expect(url.label == "https://[::1]:5055")
        #expect(try EngineURL("http://tracker").servers.first?.port == 80)
        #expect(try EngineURL("https://tracker").servers.first?.port == 443)
    }

    @Test func `a query, which may have a key, is rejected and not printed`() {
        let error = #expect(throws: FleetError.self) { try EngineURL("https://a/?key=secret") }
        #expect(error?.description.contains("--header-file") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: [
        (
            "https://a:99999/hook/secret",
            "not a server: 'a:99999' in 'https://a:99999' (expected HOST or HOST:PORT)"
        ),
        (
            "https://a,b/hook/secret",
            "'https://a,b' has several servers, but MQTT and HTTP use only one"
        ),
    ])
    func `the path of an address of HTTP, which may be a key, is not printed`(
        _ text: String, _ expected: String
    ) {
        let error = #expect(throws: FleetError.self) { try EngineURL(text) }
        #expect(error?.description == expected)
    }

    @Test func `a password in an address is rejected and not printed`() {
        let error = #expect(throws: FleetError.self) { try EngineURL("nats://me:secret@a") }
        #expect(error?.description.contains("--password-file") == true)
        #expect(error?.description.contains("secret@") == false)
    }

    @Test func `files that only NATS reads are refused for others, which the message explains`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("bus.creds", Array("secret\n".utf8))
        #expect(chmod(path, 0o600) == 0)
        var access = EngineAccess()
        access.nkey = try SecretFile(path)
        let broker = try EngineURL("mqtt://broker")
        try access.check(for: try EngineURL("nats://hub"))
        try access.withoutNATS.check(for: broker)
        let error = #expect(throws: FleetError.self) { try access.check(for: broker) }
        let text = try #require(error?.description)
        #expect(text.hasPrefix("mqtt://broker: --nkey can only be used with NATS"))
        #expect(text.contains("--password-file FILE") && !text.contains("--credentials"))
        let hook = try EngineURL("https://tracker/hook/secret")
        let refusal = #expect(throws: FleetError.self) { try access.check(for: hook) }
        #expect(refusal?.description.hasPrefix("https://tracker: --nkey can only be used") == true)
        access.credentials = access.nkey
        let both = #expect(throws: FleetError.self) { try access.check(for: broker) }
        #expect(both?.description.contains("--credentials and --nkey can") == true)
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

    @Test func `a long line of a secret file is read whole, and too large a file is refused`()
        throws
    {
        let folder = try TemporaryFolder()
        let token = String(repeating: "hidden", count: 5000)
        let path = try folder.file("token", Array("\(token)\r\nmore\n".utf8))
        #expect(try SecretFile(path).firstLine() == token)
        let large = try folder.file("large", Array(repeating: UInt8(ascii: "h"), count: 65_537))
        let error = #expect(throws: FleetError.self) { try SecretFile(large).firstLine() }
        #expect(error?.description == "cannot read \(large): it has more than 65536 bytes")
    }
}

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

/// The credentials of HTTP servers, and the time for their answers.
@Suite(.timeLimit(.generous))
struct HTTPEngineTests {
    /// Returns the error of starting an engine.
    private func error(
        _ url: String, _ change: (inout EngineAccess) throws -> Void
    ) throws -> String? {
        var access = EngineAccess()
        try change(&access)
        let engine = HTTPEngine(
            try EngineURL(url), access, software: "gpsbridge", format: OsmAndFormat())
        defer { engine.close() }
        let error = #expect(throws: FleetError.self) { try engine.start { _ in } }
        return error?.description
    }

    private func secret(_ text: String, in folder: TemporaryFolder) throws -> SecretFile {
        let path = try folder.file("secret", Array(text.utf8))
        #expect(chmod(path, 0o600) == 0)
        return try SecretFile(path)
    }

    @Test(arguments: ["hidden", ": hidden", "X Key: hidden", "X-Key: a\u{1}hidden", "X-Ké: hidden"])
    func `a line that is not a header is an error, which does not print it`(_ line: String) throws {
        let folder = try TemporaryFolder()
        let error = try #require(
            try error("https://a") {
                $0.headers = try secret("# ok\nX-First: 1\n\(line)\n", in: folder)
            })
        #expect(error.contains("line 3") && !error.contains("hidden"))
    }

    @Test func `a password needs a user, so that it is not sent to another server`() throws {
        let folder = try TemporaryFolder()
        let error = try error("https://a/hook") {
            $0.password = try secret("hidden\n", in: folder)
        }
        #expect(error?.contains("https://USER@HOST") == true)
        #expect(error?.contains("hook") == false && error?.contains("hidden") == false)
    }

    @Test func `certificates need an encrypted address, and files that exist`() throws {
        #expect(try error("http://a") { $0.authorities = "/ca" }?.contains("https://") == true)
        #expect(try error("https://a") { $0.authorities = "/ca" }?.contains("/ca") == true)
        #expect(try error("https://a") { $0.certificate = "/cert" }?.contains("/cert") == true)
    }

    @Test func `a message of many fixes has enough time on a slow link`() {
        #expect(HTTPEngine.timeout(count: 0) == 60)
        // 90 kB on a link of 1 kB/s
        #expect(HTTPEngine.timeout(count: 90_000) > 90)
    }
}

/// What the answers of HTTP servers mean.
@Suite(.timeLimit(.generous))
struct HTTPResultTests {
    private func failure(_ answer: HTTPResult) -> EngineFailure? {
        if case .failed("m", let failure) = answer.event(for: "m") { failure } else { nil }
    }

    @Test(arguments: [200, 201, 202, 204, 299])
    func `a message is stored only with a status of success`(_ status: Int) {
        guard case .stored("m", nil) = HTTPResult(status: status).event(for: "m") else {
            Issue.record("status \(status) is not a success")
            return
        }
    }

    @Test(arguments: [400, 409, 413, 414, 415, 422, 431])
    func `a message that cannot be accepted is refused`(_ status: Int) {
        guard case .refused("m", let refusal) = HTTPResult(status: status).event(for: "m") else {
            Issue.record("status \(status) is not a refusal")
            return
        }
        #expect(!refusal.isOfReceiver && refusal.text.contains("HTTP status \(status)"))
    }

    @Test(arguments: [404, 410])
    func `an unknown device is a refusal of all its messages`(_ status: Int) {
        guard case .refused("m", let refusal) = HTTPResult(status: status).event(for: "m") else {
            Issue.record("status \(status) is not a refusal")
            return
        }
        #expect(refusal.isOfReceiver)
    }

    @Test(arguments: [
        -1, 0, 100, 199, 301, 302, 304, 307, 308, 401, 403, 405, 407, 408, 425, 429, 500, 502,
        503, 504, 599, 999,
    ])
    func `every other answer is retried`(_ status: Int) throws {
        let failure = try #require(self.failure(HTTPResult(status: status)))
        #expect(failure.isGeneral && failure.text.contains("HTTP status \(status)"))
        #expect(failure.retryAfter == nil)
    }

    @Test(arguments: [
        (500, true), (502, true), (504, true), (503, false), (429, false), (401, false),
        (301, false),
    ])
    func `an error of the server may have its cause in the message`(
        _ status: Int, _ mayBeOfMessage: Bool
    ) {
        #expect(failure(HTTPResult(status: status))?.mayBeOfMessage == mayBeOfMessage)
        let incomplete = HTTPResult(status: status, failure: "Timeout was reached")
        #expect(failure(incomplete)?.mayBeOfMessage == false)
    }

    @Test func `an incomplete answer is retried, regardless of its status`() {
        let answer = HTTPResult(status: 200, failure: "Timeout was reached")
        #expect(failure(answer)?.text == "Timeout was reached")
    }

    @Test(
        arguments: [
            (0, nil), (-1, nil), (Int64.min, nil), (1, Duration.seconds(1)),
            (120, Duration.seconds(120)), (3601, Duration.seconds(3600)),
            (Int64.max, Duration.seconds(3600)),
        ] as [(Int64, Duration?)])
    func `a server can demand a pause of at most an hour`(_ seconds: Int64, _ pause: Duration?) {
        #expect(failure(HTTPResult(status: 503, retryAfter: seconds))?.retryAfter == pause)
    }
}

/// The credentials of NATS servers, and the time for their answers.
@Suite(.timeLimit(.generous))
struct NATSEngineTests {
    @Test(arguments: ["nats://hidden@hub", "tls://hidden@hub"])
    func `a user name without a password, which may be a token, is refused and not printed`(
        _ text: String
    ) throws {
        let url = try EngineURL(text)
        let engine = NATSEngine(url, EngineAccess(), name: "gpsbridge", stream: nil)
        defer { engine.close() }
        let error = #expect(throws: FleetError.self) { try engine.start { _ in } }
        #expect(error?.isPermanent == true)
        #expect(error?.description.contains("--password-file") == true)
        #expect(error?.description.contains("hidden") == false)
    }

    @Test func `a message without an answer gets more time, up to a minute`() {
        var times = AnswerTimes()
        var seconds: [Int64] = []
        for _ in 0..<6 {
            seconds.append(times.time(for: "a").components.seconds)
            times.timedOut("a")
        }
        #expect(seconds == [5, 10, 20, 40, 60, 60])
        #expect(times.time(for: "b") == .seconds(5))
        times.answered("a")
        #expect(times.time(for: "a") == .seconds(5))
    }
}

/// The names of streams.
@Suite(.timeLimit(.generous))
struct NATSStreamTests {
    @Test(arguments: ["GPS", "gps_2-a", "Flöte", String(repeating: "x", count: 255)])
    func `names that NATS accepts are valid`(_ name: String) {
        #expect(NATSStream.isName(name))
    }

    @Test(
        arguments: ["", "a b", "a.b", "*", "a>", "a/b", "a\\b", "a\tb", "a\u{7F}"]
            + [String(repeating: "x", count: 256)])
    func `names that NATS does not accept are invalid`(_ name: String) {
        #expect(!NATSStream.isName(name))
    }
}

/// The identity of MQTT clients.
@Suite(.timeLimit(.generous))
struct MQTTEngineTests {
    private func id(
        _ fleet: String, _ bridge: String, _ receivers: String..., format: String = "gpsbridge"
    ) throws -> String {
        let members = try receivers.map {
            try #require(MemberName(fleet: fleet, bridge: bridge, receiver: $0))
        }
        return MQTTEngine.clientID(of: members, format: format)
    }

    @Test func `clients that may be connected at the same time have different ids`() throws {
        let ids = [
            try id("buses", "b-7", "roof"), try id("buses-b", "7", "roof"),
            try id("buses", "b-7", "cab", "roof"),
            try id("buses", "b-7", "roof", format: "homeassistant"),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test func `a client has the same id after a restart`() throws {
        #expect(try id("buses", "b-7", "roof", "cab") == "gpsbridge.buses.b-7.roof.gpsbridge")
    }
}
