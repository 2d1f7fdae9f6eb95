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

    @Test(
        arguments: [
            ("$PMTK605", "PMTK705,MC-1513-2.2A,0003,,2.2A", "MediaTek MT33xx (MC-1513-2.2A)"),
            ("$PCAS06,0", "GPTXT,01,01,02,SW=URANUS2,V2.4.3.0", "CASIC chip (URANUS2,V2.4.3.0)"),
            ("$PCAS06,0", "GPTXT,01,01,02,SW=URANUS5,V5.2.1.0", "CASIC AT6558 (URANUS5,V5.2.1.0)"),
        ])
    func `a model that a chip does not report is not another one`(
        _ request: String, _ answer: String, _ identity: String
    ) {
        let report = configured(ScriptedChip([(request, [answer])]))
        #expect(report?.before?.identity.description == identity)
    }
}
