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

    @Test(arguments: [
        (123_456, "use --baud 115200 or --baud 230400"), (2400, "use --baud 4800"),
        (2_000_000, "use --baud 921600"),
    ])
    func `a baud rate at which the receiver would not be found again is refused`(
        baudRate: Int, remedy: String
    ) {
        let request = DatabaseTests.request { $0.baudRate = baudRate }
        var conversation = Conversation(request, DatabaseChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .unsupported && error.remedy == remedy, "\(error)")
    }

    @Test func `an uncommon baud rate that the receiver already has is not refused`() throws {
        let request = DatabaseTests.request { $0.baudRate = 250_000 }
        var conversation = Conversation(request, DatabaseChip(baudRate: 250_000))
        try conversation.report()
    }
}
