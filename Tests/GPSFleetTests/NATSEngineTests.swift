// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestSupport
import GPSTestTraits
import Testing

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
