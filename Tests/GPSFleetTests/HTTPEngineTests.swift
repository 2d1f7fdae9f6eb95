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
