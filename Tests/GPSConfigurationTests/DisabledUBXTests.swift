// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing

/// A u-blox chip whose UBX output is disabled.
private struct SentencesChip: ModelChip {
    let baudRate = 9600
    private(set) var requests: [String] = []

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        requests.append(String(decoding: bytes, as: UTF8.self))
        return []
    }

    mutating func output(tenth: Int) -> [UInt8] {
        tenth.isMultiple(of: 10) ? sentence("GNRMC,12000\(tenth / 10 % 10).00,V") : []
    }
}

@Suite(.timeLimit(.generous))
struct DisabledUBXTests {
    @Test func `a chip without UBX output gets u-blox's sentence, and the reason is given`()
        throws
    {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PUBX,41,1,0007,0003,9600,0")
        var conversation = Conversation(request, SentencesChip())
        let report = try conversation.report()
        #expect(report.warnings.first?.contains("its answers disabled") == true)
        #expect(conversation.chip.requests.last == "$PUBX,41,1,0007,0003,9600,0*10\r\n")
    }

    @Test(arguments: [true, false])
    func `an unknown receiver receives no messages in a dry run or with other actions`(
        _ isDryRun: Bool
    ) throws {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PUBX,41,1,0007,0003,9600,0")
        (request.isDryRun, request.saves) = (isDryRun, !isDryRun)
        var conversation = Conversation(request, SentencesChip())
        let outcome = conversation.run()
        let isDone = if case .done? = outcome { true } else { false }
        #expect(isDone == isDryRun)
        #expect(conversation.progress == (isDryRun ? [.changes([])] : []))
        #expect(!conversation.chip.requests.contains { $0.hasPrefix("$PUBX") })
    }

    @Test func `the user of a line whose baud rate was not found is told how to state it`() {
        var conversation = Conversation(ConfigurationRequest(), DatabaseChip(), hostRate: 9600)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("answered")
            return
        }
        #expect(error.code == .noAnswer)
        #expect(error.remedy?.contains("--line-baud") == true)
    }
}
