// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// A chip that does not answer the requests for the interval of RMC.
private struct SecretiveChip<Chip: ModelChip>: ModelChip {
    var chip: Chip

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        asksForRMC(bytes) ? [] : chip.answers(to: bytes)
    }

    private func asksForRMC(_ bytes: [UInt8]) -> Bool {
        guard let frame = UBXFrame(bytes.span) else { return false }
        let rmc = UBXMessageID(0xF0, 0x04)
        if frame.id == CfgMSG.id { return CfgMSG.poll(rmc) == bytes }
        guard let output = MessageOutput.output(rmc) else { return false }
        let keys = CfgVALGET(payload: frame.payload)?.keys ?? []
        return frame.id == CfgVALGET.id && keys.contains(output.key(on: .uart1))
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct UnansweredMessagesTests {
    @Test func `a list of messages that may be incomplete is not reported, and a warning says so`()
        throws
    {
        var first = Conversation(ConfigurationRequest(), SecretiveChip(chip: LegacyChip()))
        var second = Conversation(ConfigurationRequest(), SecretiveChip(chip: DatabaseChip()))
        for report in [try first.report(), try second.report()] {
            #expect(report.before?.configuration.messages == nil)
            #expect(report.after?.configuration.messages == nil)
            #expect(report.warnings.count == 1)
            #expect(report.warnings.first?.contains("did not answer a request") == true)
        }
    }

    @Test func `an M8 that does not answer for a message is not said to have switched it off`() {
        let request = DatabaseTests.request { $0.messages = .list(["GGA": 1]) }
        var conversation = Conversation(request, SecretiveChip(chip: LegacyChip()))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("changed")
            return
        }
        #expect(error.code == .noAnswer && error.reason.contains("RMC"), "\(error)")
    }

    @Test func `a receiver that answers all requests has no warning`() throws {
        var first = Conversation(ConfigurationRequest(), LegacyChip())
        var second = Conversation(ConfigurationRequest(), DatabaseChip())
        for report in [try first.report(), try second.report()] {
            #expect(report.before?.configuration.messages != nil)
            #expect(report.warnings.isEmpty, "\(report.warnings)")
        }
    }
}
