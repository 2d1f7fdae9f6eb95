// SPDX-License-Identifier: MIT
import GPSFleet
import GPSReceivers
import GPSTestSupport
import RTCM
import Testing

/// Corrections that a member of a fleet sends to others.
@Suite(.timeLimit(.generous))
struct SharedCorrectionsTests {
    private let message = CorrectionMessage.frame(rtcm: [0x3E, 0xD0, 1, 2, 3])

    @Test func `a receiver has a subject outside of those of fixes`() throws {
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
        #expect(CorrectionSharing.subject(of: member) == "gps-corrections.f.b.r")
        let pattern = try MemberPattern(["f", "b", "r"], ofCorrections: true)
        #expect(pattern.subject == CorrectionSharing.subject(of: member))
    }

    @Test func `only whole messages of RTCM 3 are read`() {
        var damaged = message
        damaged[5] ^= 1
        let assistance: [UInt8] = [0xB5, 0x62, 0x13, 0x40, 0, 0, 0x53, 0x4C]
        let bytes = message + damaged + [0x24] + assistance + message + message.dropLast()
        #expect(CorrectionSharing.corrections(in: bytes) == message + message)
        #expect(CorrectionSharing.corrections(in: [0xD3, 0x03, 0xFF]).isEmpty)
    }

    @Test(arguments: [
        "nats://hub", "nats://hub/f", "nats://hub/f/b", "nats://hub/f/b/r/x", "mqtt://hub/f/b/r",
        "nats://hub/f/b/*", "http://hub/f/b/r",
    ])
    func `corrections are those of one member in NATS`(address: String) throws {
        let url = try EngineURL(address)
        #expect(throws: FleetError.self) {
            try LiveReader(url, EngineAccess(), readsCorrections: true)
        }
    }
}
