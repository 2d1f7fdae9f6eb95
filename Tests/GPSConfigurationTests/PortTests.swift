// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct PortTests {
    @Test func `a repeated request for the received bytes also shows the port`() {
        var chip = DatabaseChip(port: .uart2)
        chip.answersPorts = false
        // The first answer arrives after the request was repeated, which the next answer counts.
        chip.late = [3: 1600, 4: 300]
        var conversation = Conversation(ConfigurationRequest(), chip)
        guard case .done(let report)? = conversation.run() else {
            Issue.record("not done")
            return
        }
        #expect(conversation.chip.requests[3...5] == [MonCOMMS.id, MonCOMMS.id, MonCOMMS.id])
        #expect(report.before?.port == "UART2")
    }
}
