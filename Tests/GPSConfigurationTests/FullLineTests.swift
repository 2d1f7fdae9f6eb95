// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// A line without spare capacity, on which each reply waits for the messages of an epoch.
@Suite(.timeLimit(.generous))
struct FullLineTests {
    private static let chip: DatabaseChip = {
        var chip = DatabaseChip(baudRate: 9600)
        chip.late = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, 2600) })
        return chip
    }()

    private func polls(_ conversation: Conversation<DatabaseChip>) -> [[UInt8]] {
        conversation.written.filter { UBXFrame($0.span)?.id == CfgVALGET.id }
    }

    @Test func `requests are not repeated after the first late reply`() throws {
        var conversation = Conversation(ConfigurationRequest(), Self.chip)
        let report = try conversation.report()
        #expect(report.before?.port == "UART1")
        #expect(!conversation.chip.requests.contains(MonCOMMS.id))
        let polls = polls(conversation)
        #expect(!polls.isEmpty && Set(polls).count == polls.count)
    }

    @Test func `messages are not read if only another setting is changed`() throws {
        var request = DatabaseTests.request { $0.minimumElevation = 10 }
        request.omitsUnusedMessages = true
        var conversation = Conversation(request, Self.chip)
        let report = try conversation.report()
        #expect(report.after?.configuration.minimumElevation == 10)
        #expect(report.after?.configuration.messages == nil && report.warnings.isEmpty)
        let keys = polls(conversation).compactMap { poll in
            CfgVALGET(payload: Array(poll.dropFirst(6).dropLast(2)).span)?.keys
        }
        #expect(!keys.isEmpty && !keys.joined().contains { $0.group == 0x91 })
    }
}
