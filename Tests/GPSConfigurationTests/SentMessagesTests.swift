// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// Messages that are sent unchanged.
@Suite(.timeLimit(.generous))
struct SentMessagesTests {
    @Test(arguments: [true, false])
    func `settings that a message has changed are saved, too`(_ hasFlash: Bool) throws {
        var request = DatabaseTests.request { $0.minimumElevation = 10 }
        let message = CfgVALSET([ConfigurationItem(.measurementPeriod, 500)])
        request.messages = [DescribedMessage(message.frame)]
        request.saves = true
        var chip = DatabaseChip()
        chip.hasFlash = hasFlash
        var conversation = Conversation(request, chip)
        let saved = try #require(try conversation.report().saved)
        #expect(saved.storage == (hasFlash ? .flash : .battery))
        #expect(conversation.chip.saved[.measurementPeriod] == 500)
        #expect(conversation.chip.saved[.minimumElevation] == 10)
    }
}
