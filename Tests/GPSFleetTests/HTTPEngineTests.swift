// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestSupport
import Glibc
import Testing

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
