// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing

/// A chip whose answers wait behind many sentences.
private struct FullChip: ModelChip {
    var chip: ScriptedChip
    /// The number of answers to the request for the version that arrive at once.
    var quickAnswers: Int
    private var count = 0

    init(_ chip: ScriptedChip, quickAnswers: Int) {
        (self.chip, self.quickAnswers) = (chip, quickAnswers)
    }

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let answers = chip.answers(to: bytes)
        guard chip.requests.last == "$PMTK605" else { return answers }
        count += 1
        return count > quickAnswers ? answers.map { (7000, $0.bytes) } : answers
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct FullBufferTests {
    /// A chip that confirms a new rate, but does not change it.
    private static let chip: ScriptedChip = {
        var chip = ScriptedChip(
            baudRate: 9600,
            [
                ("$PMTK605", ["PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"]),
                ("$PMTK414", ["PMTK514,LIST"]),
                ("$PMTK220", ["PMTK001,220,3"]), ("$PMTK314", ["PMTK001,314,3"]),
            ])
        chip.obeysRates = false
        return chip
    }()

    private static let request: ConfigurationRequest = {
        var request = ConfigurationRequest()
        request.configuration.rate = 2
        request.configuration.messages = .list(["RMC": 1])
        return request
    }()

    private func hasOldMessages(_ chip: FullChip) -> Bool {
        chip.chip.requests.last { $0.hasPrefix("$PMTK314") }
            == "$PMTK314,0,1,0,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0"
    }

    @Test func `a rollback waits for a chip with a full buffer where its sentences arrive`() {
        var conversation = Conversation(Self.request, FullChip(Self.chip, quickAnswers: 1))
        guard case .failed(let error, .partlyRestored)? = conversation.run() else {
            Issue.record("not restored")
            return
        }
        #expect(error.code == .notApplied)
        #expect(hasOldMessages(conversation.chip) && conversation.hostRate == 9600)
    }

    @Test func `the next start waits for a chip with a full buffer, too`() throws {
        var first = Conversation(Self.request, FullChip(Self.chip, quickAnswers: .max))
        var limit = 0
        while first.journal == nil, limit < 100 {
            limit += 1
            first = Conversation(Self.request, FullChip(Self.chip, quickAnswers: .max))
            _ = first.run(outputs: limit)
        }
        var recovery = ConfigurationRequest()
        recovery.journal = first.journal
        #expect(recovery.journal != nil)
        let chip = FullChip(first.chip.chip, quickAnswers: 0)
        var second = Conversation(recovery, chip)
        try second.report()
        #expect(hasOldMessages(second.chip) && second.journal == nil)
    }
}
