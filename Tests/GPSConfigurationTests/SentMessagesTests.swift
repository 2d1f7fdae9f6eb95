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

    @Test func `a command that an Airoha chip does not know is refused, not unanswered`() throws {
        let chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LC29HBANR01A02S_CSA4,2022/07/17,20:59:18"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,1000"]),
            ("$PQTMCFGEINSMSG", ["PAIR001,000,4"]),
        ])
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PQTMCFGEINSMSG,0")
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused)
    }
}
