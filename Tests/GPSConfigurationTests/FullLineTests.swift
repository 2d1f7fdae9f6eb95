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

    /// Whether the intervals of messages were requested.
    private func readsMessages(_ conversation: Conversation<DatabaseChip>) -> Bool {
        polls(conversation).contains { poll in
            let request = CfgVALGET(payload: Array(poll.dropFirst(6).dropLast(2)).span)
            return request?.keys?.contains { $0.group == 0x91 } ?? false
        }
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
        #expect(!polls(conversation).isEmpty && !readsMessages(conversation))
    }

    @Test(arguments: [(9600, 115_200, false), (38400, 19200, true)])
    func `messages are read if the baud rate is lowered, but not if it is raised`(
        _ old: Int, _ new: Int, _ isRead: Bool
    ) throws {
        var request = DatabaseTests.request { $0.baudRate = new }
        request.omitsUnusedMessages = true
        var conversation = Conversation(request, DatabaseChip(baudRate: old))
        let report = try conversation.report()
        #expect(conversation.chip.baudRate == new && conversation.hostRate == new)
        #expect(report.warnings.isEmpty, "\(report.warnings)")
        #expect(readsMessages(conversation) == isRead)
    }
}
