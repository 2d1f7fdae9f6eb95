// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

/// Chips whose answers to the version requests are shorter than usual.
@Suite(.timeLimit(.generous))
struct IdentityTests {
    private func configured(
        _ chip: some ModelChip, _ change: (inout ReceiverConfiguration) -> Void = { _ in }
    ) -> ConfigurationReport? {
        var conversation = Conversation(DatabaseTests.request(change), chip)
        guard case .done(let report)? = conversation.run() else { return nil }
        return report
    }

    @Test(arguments: [true, false])
    func `a u-blox M9 or M10 that does not report its protocol has configuration keys`(
        _ hasFlash: Bool
    ) {
        var chip = DatabaseChip()
        (chip.hasFlash, chip.hasExtensions) = (hasFlash, false)
        let report = configured(chip) { $0.minimumElevation = 12 }
        #expect(report?.before?.identity.family == .ublox)
        #expect(report?.before?.identity.model == (hasFlash ? "9" : "M10"))
        #expect(report?.before?.identity.protocolVersion == nil)
        #expect(report?.after?.configuration.minimumElevation == 12)
    }

    @Test func `an M8 that does not report its protocol has the messages of an M8`() {
        var chip = LegacyChip()
        chip.protocolVersion = nil
        let report = configured(chip) { $0.messages = .ubx }
        let expected = ["NAV-PVT", "NAV-SAT", "NAV-DOP"]
        #expect(
            report?.after?.configuration.messages
                == .list(Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) })))
    }
}
