// SPDX-License-Identifier: MIT
import Delegation
import GPSConfiguration
import GPSCorrections
import GPSReceivers
import GPSTestSupport
import Testing

@testable import GPSBridgeCLI

/// The corrections of a server, which a reload changes.
@Suite(.timeLimit(.generous))
struct ServedCorrectionsTests {
    @Test func `after a change, ephemerides come from the new sources`() {
        let feeds = (0..<3).map { _ in CorrectionFeed(.receiver(TCPSource(host: "base", port: 1))) }
        let corrections = ServedCorrections([feeds[0], feeds[1]], OtherEphemerides())
        func haveObservers() -> [Bool] { feeds.map(\.messages.hasObservers) }
        #expect(haveObservers() == [true, true, false])
        corrections.change(to: [feeds[1], feeds[2]], for: [])
        #expect(haveObservers() == [false, true, true])
    }

    @Test func `a member of a fleet sends corrections instead of its fixes`() throws {
        var arguments = CorrectionArguments()
        arguments.sources = ["nats://hub/f/b/r"]
        guard case .receiver(let source)? = try arguments.inputs().first else { return }
        #expect((source as? FleetSource)?.readsCorrections == true)
        for other in ["nats://hub", "nats://hub/f", "tls://hub/f/b", "mqtt://hub/f/b/r"] {
            arguments.sources = [other]
            #expect(throws: (any Error).self) { try arguments.inputs() }
        }
    }
}
