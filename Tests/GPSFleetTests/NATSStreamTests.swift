// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestTraits
import Testing

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
