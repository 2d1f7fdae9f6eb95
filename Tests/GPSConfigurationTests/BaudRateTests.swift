// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct BaudRateTests {
    @Test func `a baud rate that is refused is reported as refused, and the line keeps its own`() {
        var chip = DatabaseChip()
        chip.refusesRates = true
        let request = DatabaseTests.request { $0.baudRate = 115_200 }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .restored)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused)
        #expect(conversation.hostRate == 38400 && conversation.journal == nil)
        #expect(conversation.milliseconds < 2000)
    }

    @Test func `a refused baud rate changes nothing, even if the previous one is unknown`() throws {
        var chip = DatabaseChip()
        chip.refusesRates = true
        let key = try #require(ConfigurationKey.baudRate(of: .uart1))
        chip.unreadable = [key]
        let request = DatabaseTests.request { $0.baudRate = 115_200 }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused, or reported as changed")
            return
        }
        #expect(error.code == .refused)
    }
}
