// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

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

/// A chip on a line that returns every request before the answer.
private struct EchoingChip<Chip: ModelChip>: ModelChip {
    var chip: Chip

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        [(0, bytes)] + chip.answers(to: bytes)
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct EchoTests {
    private func before<Chip: ModelChip>(_ chip: Chip) -> ReceiverState? {
        var conversation = Conversation(ConfigurationRequest(), EchoingChip(chip: chip))
        guard case .done(let report)? = conversation.run() else { return nil }
        return report.before
    }

    @Test func `an echo is not an answer`() {
        let chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01"]),
            ("$PQTMCFGELETHD,R", ["PQTMCFGELETHD,OK,5.0"]),
        ])
        #expect(before(chip)?.configuration.minimumElevation == 5)
    }

    @Test func `a u-blox chip on a line that echoes is read completely`() {
        let legacy = before(LegacyChip())?.configuration
        #expect(legacy?.constellations == [.gps, .sbas, .qzss, .glonass])
        let database = before(DatabaseChip())?.configuration
        #expect(database?.rate == 1 && database?.messages != nil)
    }
}

/// An M8 that does not answer requests for some groups of settings, or any request after a change of
/// its rate.
private struct SilentChip: ModelChip {
    private var chip = LegacyChip()
    var unanswered: Set<UBXMessageID> = []

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let answers = chip.answers(to: bytes)
        guard let frame = UBXFrame(bytes.span), !unanswered.contains(frame.id) else { return [] }
        return chip.changes.contains(CfgRATE.id) ? [] : answers
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct SilentChipTests {
    @Test func `an error advises unplugging a receiver that stops answering during a change`() {
        var conversation = Conversation(DatabaseTests.request { $0.rate = 0.5 }, SilentChip())
        guard case .failed(let error, .pending)? = conversation.run() else {
            Issue.record("restored")
            return
        }
        #expect(error.code == .noAnswer)
        #expect(error.remedy?.contains("plug it in again") == true)
        #expect(conversation.journal != nil)
    }

    @Test func `an error advises trying again if an M8 does not answer a request`() {
        var chip = SilentChip()
        chip.unanswered = [CfgNAV5.id]
        var conversation = Conversation(DatabaseTests.request { $0.minimumElevation = 12 }, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("changed")
            return
        }
        #expect(error.reason.contains("does not answer CFG-NAV5"), "\(error)")
        #expect(error.remedy?.contains("try again") == true)
    }
}

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
