// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestSupport
import Testing

/// The credentials of NATS servers.
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
}
