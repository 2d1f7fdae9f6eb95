// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// An M8 that answers requests, but acknowledges none.
private struct SilentChip: ModelChip {
    private var chip = LegacyChip()

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        chip.answers(to: bytes).filter { UBXFrame($0.bytes.span)?.id != AckACK.id }
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

/// An M8 that also sends raw measurements.
private struct RawChip: ModelChip {
    var chip = LegacyChip()

    init() { chip.intervals[RxmRAWX.id] = 1 }

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        chip.answers(to: bytes)
    }

    mutating func output(tenth: Int) -> [UInt8] {
        let bytes = chip.output(tenth: tenth)
        guard !bytes.isEmpty, chip.intervals[RxmRAWX.id] == 1 else { return bytes }
        return bytes + UBXFrame.bytes(RxmRAWX.id, payload: [UInt8](repeating: 0, count: 16))
    }
}

@Suite(.timeLimit(.generous))
struct LegacyMessagesTests {
    @Test func `a message that an M8 sends is switched off, though it is rarely used`() throws {
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1]) }
        var conversation = Conversation(request, RawChip())
        let report = try conversation.report()
        #expect(report.changes.first?.description.contains("RXM-RAWX") == true)
        #expect(report.after?.configuration.messages == .list(["RMC": 1]))
        #expect(conversation.chip.chip.intervals[RxmRAWX.id] == 0)
    }

    @Test func `a requested message that is otherwise not read is read from an M8`() throws {
        var chip = LegacyChip()
        chip.intervals[NavTIMELS.id] = 0
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1, "NAV-TIMELS": 5]) }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(conversation.chip.intervals[NavTIMELS.id] == 5)
        #expect(report.after?.configuration.messages == .list(["RMC": 1, "NAV-TIMELS": 5]))
    }

    @Test func `messages that gpsd has enabled are shown, and switched off`() throws {
        let messages = [UBXMessageID(0x01, 0x01), UBXMessageID(0x01, 0x11)]
        var legacy = LegacyChip()
        var database = DatabaseChip()
        for message in messages {
            legacy.intervals[message] = 1
            let output = try #require(MessageOutput.output(message))
            database.values[output.key(on: .uart1)] = 1
        }
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1]) }
        var first = Conversation(request, legacy)
        var second = Conversation(request, database)
        for report in [try first.report(), try second.report()] {
            let change = report.changes.first?.description
            #expect(change?.contains("NAV-POSECEF") == true, "\(report.changes)")
            #expect(change?.contains("NAV-VELECEF") == true)
            #expect(report.after?.configuration.messages == .list(["RMC": 1]))
        }
        #expect(messages.allSatisfy { first.chip.intervals[$0] == 0 })
    }

    @Test func `a chip without acknowledgements is read within half a minute`() throws {
        var conversation = Conversation(ConfigurationRequest(), SilentChip())
        let report = try conversation.report()
        #expect(report.before?.configuration.rate == 1)
        #expect(report.before?.configuration.messages != nil)
        #expect(conversation.milliseconds < 30_000)
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
    ) throws {
        var chip = LegacyChip()
        chip.protocolVersion = version
        var conversation = Conversation(DatabaseTests.request { $0.messages = .ubx }, chip)
        let report = try conversation.report()
        let expected = ["NAV-PVT", "NAV-DOP"] + names
        let list = Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) })
        #expect(report.after?.configuration.messages == .list(list))
    }
}
