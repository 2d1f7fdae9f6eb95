// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

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

    /// A chip whose answers wait behind many sentences, except the first answers to the request for
    /// its version.
    private func full(
        _ chip: ScriptedChip, quickAnswers: Int
    ) -> AlteredChip<ScriptedChip> {
        var count = 0
        return AlteredChip(chip) { chip, bytes in
            let answers = chip.answers(to: bytes)
            guard chip.requests.last == "$PMTK605" else { return answers }
            count += 1
            return count > quickAnswers ? answers.map { (7000, $0.bytes) } : answers
        }
    }

    private func hasOldMessages(_ chip: AlteredChip<ScriptedChip>) -> Bool {
        chip.chip.requests.last { $0.hasPrefix("$PMTK314") }
            == "$PMTK314,0,1,0,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0"
    }

    @Test func `a rollback waits for a chip with a full buffer where its sentences arrive`() {
        var conversation = Conversation(Self.request, full(Self.chip, quickAnswers: 1))
        guard case .failed(let error, .partlyRestored)? = conversation.run() else {
            Issue.record("not restored")
            return
        }
        #expect(error.code == .notApplied)
        #expect(hasOldMessages(conversation.chip) && conversation.hostRate == 9600)
    }

    @Test func `the next start waits for a chip with a full buffer, too`() throws {
        var first = Conversation(Self.request, full(Self.chip, quickAnswers: .max))
        var limit = 0
        while first.journal == nil, limit < 100 {
            limit += 1
            first = Conversation(Self.request, full(Self.chip, quickAnswers: .max))
            _ = first.run(outputs: limit)
        }
        var recovery = ConfigurationRequest()
        recovery.journal = first.journal
        #expect(recovery.journal != nil)
        let chip = full(first.chip.chip, quickAnswers: 0)
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
        let lines = ConfigurationText.lines(report, after: request)
        #expect(lines.contains { $0.hasPrefix("messages  ") && $0.contains("not read") })
        let keys = polls(conversation).compactMap { poll in
            CfgVALGET(payload: Array(poll.dropFirst(6).dropLast(2)).span)?.keys
        }
        #expect(!keys.isEmpty && !keys.joined().contains { $0.group == 0x91 })
    }
}

@Suite(.timeLimit(.generous))
struct EchoTests {
    private func before<Chip: ModelChip>(_ chip: Chip) -> ReceiverState? {
        // The line returns every request before the answer.
        let echoing = AlteredChip(chip) { [(0, $1)] + $0.answers(to: $1) }
        var conversation = Conversation(ConfigurationRequest(), echoing)
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

@Suite(.timeLimit(.generous))
struct SilentChipTests {
    /// An M8 that does not answer requests for some groups of settings, or any request after a
    /// change of its rate.
    private func chip(unanswered: [UBXMessageID] = []) -> AlteredChip<LegacyChip> {
        AlteredChip(LegacyChip()) { chip, bytes in
            let answers = chip.answers(to: bytes)
            guard let frame = UBXFrame(bytes.span), !unanswered.contains(frame.id) else {
                return []
            }
            return chip.changes.contains(CfgRATE.id) ? [] : answers
        }
    }

    @Test func `an error advises unplugging a receiver that stops answering during a change`() {
        var conversation = Conversation(DatabaseTests.request { $0.rate = 0.5 }, chip())
        guard case .failed(let error, .pending)? = conversation.run() else {
            Issue.record("restored")
            return
        }
        #expect(error.code == .noAnswer)
        #expect(error.remedy?.contains("plug it in again") == true)
        #expect(conversation.journal != nil)
    }

    @Test func `an error advises trying again if an M8 does not answer a request`() {
        var conversation = Conversation(
            DatabaseTests.request { $0.minimumElevation = 12 }, chip(unanswered: [CfgNAV5.id]))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("changed")
            return
        }
        #expect(error.reason.contains("does not answer CFG-NAV5"), "\(error)")
        #expect(error.remedy?.contains("try again") == true)
    }

    @Test func `a chip that answers no request for its settings is not on a slow line`() {
        let request = DatabaseTests.request { $0.minimumElevation = 12 }
        let settings = [
            CfgNAV5.id, CfgNAVX5.id, CfgRATE.id, CfgPRT.id, CfgGNSS.id, CfgNMEA.id,
        ]
        var conversation = Conversation(request, chip(unanswered: settings))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("changed")
            return
        }
        #expect(error.reason == "answered no request for its settings at 9600 baud")
        #expect(error.remedy?.contains("a clone that ignores them") == true)
        let texts = conversation.progress.compactMap { ConfigurationText.text($0, of: request) }
        #expect(texts.contains { $0.contains("has not answered any request") }, "\(texts)")
        #expect(!texts.contains { $0.contains("slow") })
    }

    @Test func `an error about a silent receiver names the baud rates that were tried`() {
        var line = ConfigurationLine(baudRate: 38400)
        line.searchedRates = [9600, 38400]
        var session = ConfigurationSession(ConfigurationRequest(), line: line)
        let start = MonotonicInstant.now
        var errors: [ConfigurationError] = []
        for second in 0..<60 {
            while let output = session.next(at: start + .seconds(second)) {
                if case .finished(.failed(let error, .unchanged)) = output { errors.append(error) }
            }
        }
        #expect(
            errors.map(\.reason) == [
                "the receiver sends no messages at 9600, 38400 baud, and does not answer requests for "
                    + "its version at 38400 baud"
            ])
        #expect(errors.first?.remedy?.contains("--line-baud") == true)
    }
}

@Suite(.timeLimit(.generous))
struct DisabledUBXTests {
    /// A u-blox chip whose UBX output is disabled.
    private static let chip = ScriptedChip(baudRate: 9600, sentences: ["RMC"], [])

    @Test func `a chip without UBX output gets u-blox's sentence, and the reason is given`()
        throws
    {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PUBX,41,1,0007,0003,9600,0")
        var conversation = Conversation(request, Self.chip)
        let report = try conversation.report()
        #expect(report.warnings.first?.contains("its answers disabled") == true)
        #expect(conversation.chip.requests.last == "$PUBX,41,1,0007,0003,9600,0")
    }

    @Test(arguments: [true, false])
    func `an unknown receiver receives no messages in a dry run or with other actions`(
        _ isDryRun: Bool
    ) throws {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PUBX,41,1,0007,0003,9600,0")
        (request.isDryRun, request.saves) = (isDryRun, !isDryRun)
        var conversation = Conversation(request, Self.chip)
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
