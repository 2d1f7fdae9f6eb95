// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct PortTests {
    @Test func `a repeated request for the received bytes also shows the port`() throws {
        var chip = DatabaseChip(port: .uart2)
        chip.answersPorts = false
        // The first answer arrives after the request was repeated, which the next answer counts.
        chip.late = [3: 1600, 4: 300]
        var conversation = Conversation(ConfigurationRequest(), chip)
        let report = try conversation.report()
        #expect(conversation.chip.requests[3...5] == [MonCOMMS.id, MonCOMMS.id, MonCOMMS.id])
        #expect(report.before?.port == "UART2")
    }
}
