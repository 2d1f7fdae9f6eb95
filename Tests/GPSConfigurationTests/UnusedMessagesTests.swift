// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct UnusedMessagesTests {
    /// The number of requests for the interval of a message.
    private func polls(
        _ chip: LegacyChip = LegacyChip(), _ change: (inout ReceiverConfiguration) -> Void
    ) -> Int {
        var request = DatabaseTests.request(change)
        request.omitsUnusedMessages = true
        var conversation = Conversation(request, chip)
        let outcome = conversation.run()
        if case .done? = outcome {} else { Issue.record("\(String(describing: outcome))") }
        return conversation.written.count(where: { UBXFrame($0.span)?.id == CfgMSG.id })
    }

    @Test func `the messages of an M8 can be read only if a change depends on them`() {
        #expect(polls { $0.minimumElevation = 10 } == 0)
        #expect(polls { $0.rate = 0.5 } == 28)
    }

    @Test func `a receiver that sent nothing before a change was not silenced by it`() {
        var chip = LegacyChip()
        chip.intervals = chip.intervals.mapValues { _ in 0 }
        #expect(polls(chip) { $0.minimumElevation = 10 } == 0)
    }
}
