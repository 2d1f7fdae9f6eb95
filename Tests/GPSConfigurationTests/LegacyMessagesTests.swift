// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct LegacyMessagesTests {
    @Test func `an M8 is asked for a requested message that is not read otherwise`() {
        var chip = LegacyChip()
        chip.intervals[NavTIMELS.id] = 0
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1, "NAV-TIMELS": 5]) }
        var conversation = Conversation(request, chip)
        guard case .done(let report)? = conversation.run() else {
            Issue.record("not done")
            return
        }
        #expect(conversation.chip.intervals[NavTIMELS.id] == 5)
        #expect(report.after?.configuration.messages == .list(["RMC": 1, "NAV-TIMELS": 5]))
    }

    @Test func `a message that the chip refuses is reported before any change`() {
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1, "NAV-HPPOSLLH": 1]) }
        var conversation = Conversation(request, LegacyChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "has no message NAV-HPPOSLLH")
        #expect(conversation.chip.changes.isEmpty)
    }

    @Test(arguments: [("15.00", ["NAV-SAT"]), ("18.00", ["NAV-SAT", "NAV-EOE"])])
    func `an M8 of any firmware reports its satellites in NAV-SAT`(
        _ version: String, _ names: [String]
    ) {
        var chip = LegacyChip()
        chip.protocolVersion = version
        var conversation = Conversation(DatabaseTests.request { $0.messages = .ubx }, chip)
        guard case .done(let report)? = conversation.run() else {
            Issue.record("not done")
            return
        }
        let expected = ["NAV-PVT", "NAV-DOP"] + names
        let list = Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) })
        #expect(report.after?.configuration.messages == .list(list))
    }
}
