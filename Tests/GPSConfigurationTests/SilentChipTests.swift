// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// An M8 that does not answer requests for some groups of settings, or any request after a change of
/// its rate.
private struct SilentChip: ModelChip {
    private var chip = LegacyChip()
    var unanswered: Set<UBXMessageID> = []

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let answers = chip.answers(to: bytes)
        guard let frame = UBXFrame(bytes.span), !unanswered.contains(frame.id) else { return [] }
        return chip.changes.contains(CfgRATE.id) ? [] : answers
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct SilentChipTests {
    @Test func `an error advises unplugging a receiver that stops answering during a change`() {
        var conversation = Conversation(DatabaseTests.request { $0.rate = 0.5 }, SilentChip())
        guard case .failed(let error, .pending)? = conversation.run() else {
            Issue.record("restored")
            return
        }
        #expect(error.code == .noAnswer)
        #expect(error.remedy?.contains("plug it in again") == true)
        #expect(conversation.journal != nil)
    }

    @Test func `an error advises trying again if an M8 does not answer a request`() {
        var chip = SilentChip()
        chip.unanswered = [CfgNAV5.id]
        var conversation = Conversation(DatabaseTests.request { $0.minimumElevation = 12 }, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("changed")
            return
        }
        #expect(error.reason.contains("does not answer CFG-NAV5"), "\(error)")
        #expect(error.remedy?.contains("try again") == true)
    }
}
