// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestSupport
import GPSTestTraits
import Synchronization
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct RestartTests {
    @Test(arguments: [nil, 12] as [Int?])
    func `a receiver that is lost by a restart needs no rollback`(_ elevation: Int?) {
        var request = DatabaseTests.request { $0.minimumElevation = elevation }
        request.restart = .hot
        let lost = AlteredChip(DatabaseChip()) {
            $0.requests.contains(CfgRST.id) ? [] : $0.output(tenth: $1)
        } answers: { chip, bytes in
            let answers = chip.answers(to: bytes)
            return chip.requests.contains(CfgRST.id) ? [] : answers
        }
        var conversation = Conversation(request, lost)
        guard case .failed(let error, let rollback)? = conversation.run() else {
            Issue.record("answered")
            return
        }
        #expect(error.code == .silenced)
        #expect(error.remedy == "unplug it, and plug it in again")
        #expect(rollback == (elevation == nil ? .unchanged : .kept))
        #expect(conversation.journal == nil)
    }

    @Test func `a u-blox chip that refuses to restart is not reported as restarted`() {
        var request = ConfigurationRequest()
        request.restart = .cold
        let refusing = AlteredChip(DatabaseChip()) { chip, bytes in
            UBXFrame(bytes.span)?.id == CfgRST.id
                ? [(20, acknowledgement(CfgRST.id, false))] : chip.answers(to: bytes)
        }
        var conversation = Conversation(request, refusing)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("restarted")
            return
        }
        #expect(error.code == .refused && error.reason == "refused to restart")
    }

    @Test(arguments: [(5, false), (5, true), (nil, false)] as [(Double?, Bool)])
    func `a warning says that a restart may discard changes that were not saved`(
        _ rate: Double?, _ saves: Bool
    ) throws {
        var request = DatabaseTests.request { $0.rate = rate }
        (request.saves, request.restart) = (saves, .hot)
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
            ("$PAIR050", ["PAIR001,050,0"]), ("$PAIR513", ["PAIR001,513,0"]),
            ("$PAIR004", ["PAIR001,004,0"]),
        ])
        var conversation = Conversation(request, chip)
        let warnings = try conversation.report().warnings
        #expect(warnings.contains { $0.contains("not saved") } == (rate != nil && !saves))
    }

    @Test func `a u-blox chip keeps changes at a restart, so a restart has no warning`() throws {
        var request = DatabaseTests.request { $0.minimumElevation = 12 }
        request.restart = .hot
        var conversation = Conversation(request, DatabaseChip())
        let report = try conversation.report()
        #expect(report.warnings.isEmpty, "\(report.warnings)")
    }

    @Test func `an Airoha chip that refuses to restart is not reported as restarted`() {
        var request = ConfigurationRequest()
        request.restart = .hot
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]), ("$PAIR004", ["PAIR001,004,2"]),
        ])
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("restarted")
            return
        }
        #expect(error.code == .refused)
    }
}

@Suite(.timeLimit(.generous))
struct FactoryResetTests {
    @Test func `changes after a factory reset are announced once, with one warning`() throws {
        var request = DatabaseTests.request { $0.constellations = [.gps] }
        request.resetsToFactory = true
        var conversation = Conversation(request, DatabaseChip(baudRate: 9600))
        let report = try conversation.report()
        let announced = conversation.progress.filter {
            if case .changes = $0 { true } else { false }
        }
        #expect(announced.count == 1)
        #expect(report.warnings.filter { $0.contains("spoofing") }.count == 1)
    }

    @Test func `changes are announced in a dry run of a factory reset`() throws {
        var request = DatabaseTests.request { $0.constellations = [.gps] }
        (request.resetsToFactory, request.isDryRun) = (true, true)
        var conversation = Conversation(request, DatabaseChip())
        let report = try conversation.report()
        #expect(conversation.progress.contains(.changes(report.changes)))
    }

    @Test func `a change that is refused after a factory reset is not reported as no change`() {
        var request = DatabaseTests.request { $0.baudRate = 115_200 }
        request.resetsToFactory = true
        var chip = DatabaseChip(baudRate: 9600)
        chip.refusesRates = true
        var conversation = Conversation(request, chip)
        guard case .failed(let error, let rollback)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused && error.remedy == nil)
        #expect(rollback != .unchanged)
    }

    @Test func `messages that the line cannot carry are refused before a factory reset`() {
        var request = DatabaseTests.request { $0.rate = 1 }
        request.resetsToFactory = true
        var conversation = Conversation(request, DatabaseChip(baudRate: 9600))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .lineTooSlow)
    }

    @Test func `messages that a chip does not report are observed after a factory reset`() throws {
        var request = ConfigurationRequest()
        request.resetsToFactory = true
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]), ("$PAIR007", ["PAIR001,007,0"]),
        ])
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(report.after?.configuration.messages == .list(["RMC": 1, "GGA": 1]))
    }

    @Test func `a setting that cannot be saved is not announced as a change`() {
        var request = DatabaseTests.request { $0.rate = 5 }
        request.saves = true
        let chip = ScriptedChip([
            ("$PMTK605", ["PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"]),
            ("$PMTK414", ["PMTK514,LIST"]), ("$PMTK400", ["PMTK500,PERIOD,0,0,0.0,0.0"]),
        ])
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("saved")
            return
        }
        #expect(error.code == .unsupported)
        #expect(!conversation.progress.contains { if case .changes = $0 { true } else { false } })
    }

    @Test(arguments: [true, false])
    func `a factory reset that is not confirmed at the same baud rate has a warning`(
        _ isConfirmed: Bool
    ) throws {
        var request = ConfigurationRequest()
        request.resetsToFactory = true
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
            ("$PAIR007", isConfirmed ? ["PAIR001,007,0"] : []),
        ])
        var conversation = Conversation(request, chip)
        let warnings = try conversation.report().warnings
        #expect(warnings.contains { $0.contains("did not confirm") } == !isConfirmed)
    }

    /// Ends a factory reset after each of its outputs, and restores the receiver from the journal.
    /// Returns the restored chips.
    private func restoredChips<Chip: ModelChip>(after chip: Chip) -> [Chip] {
        var request = ConfigurationRequest()
        request.resetsToFactory = true
        var restored: [Chip] = []
        for limit in 0..<500 {
            var first = Conversation(request, chip)
            if first.run(outputs: limit) != nil { break }
            guard let journal = first.journal else { continue }
            var recovery = ConfigurationRequest()
            recovery.journal = journal
            var second = Conversation(recovery, first.chip)
            if case .done? = second.run() { restored.append(second.chip) }
        }
        return restored
    }

    @Test func `after an interrupted factory reset, the static hold is restored`() {
        var chip = DatabaseChip(baudRate: 9600)
        chip.values[.staticHoldSpeed] = 50
        let restored = restoredChips(after: chip)
        #expect(!restored.isEmpty)
        #expect(restored.allSatisfy { $0.values[.staticHoldSpeed] == 50 })
    }

    @Test func `after an interrupted factory reset, an M8's autonomous assistance is restored`() {
        let restored = restoredChips(after: LegacyChip())
        #expect(!restored.isEmpty)
        #expect(restored.allSatisfy { $0.changes.contains(CfgNAVX5.id) })
    }
}

@testable import GPSConfiguration
@testable import GPSReceivers

/// The cable is pulled during a change, and a device is plugged in.
@Suite(.timeLimit(.generous))
struct ReplacedReceiverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A dialogue and the chip that is connected, in simulated time.
    private struct Run {
        var dialogue: ConfigurationDialogue
        var chip: DatabaseChip
        var now = MonotonicInstant.now

        mutating func open(_ device: String) {
            let line = DialogueLine(baudRate: BaudRate(rawValue: 38400), isNativeUSB: false)
            dialogue.receive(.opened(device: device, line), at: now)
        }

        /// Runs until the end, or until the chip has received a message of a kind.
        mutating func run(until id: UBXMessageID? = nil) throws {
            for tenth in 0..<3000 {
                while let action = dialogue.next(at: now) {
                    switch action {
                    case .finish: return
                    case .perform(let work): try work()
                    case .set: break
                    case .write(let bytes):
                        let answers = chip.answers(to: bytes)
                        if let id, chip.requests.contains(id) { return }
                        for answer in answers {
                            dialogue.receive(.bytes(answer.bytes), at: now)
                        }
                    }
                }
                now = now + .milliseconds(100)
                dialogue.receive(.bytes(chip.output(tenth: tenth)), at: now)
            }
        }
    }

    /// Returns the outcome of a change to a receiver after whose first command a device with the
    /// key `key` is connected, and the messages to that device.
    private func change(
        thenConnecting key: String?
    ) throws -> (outcome: ConfigurationOutcome, requests: [UBXMessageID], isStored: Bool) {
        let journals = JournalFolder(path: folder.path("state"))
        let request = DatabaseTests.request { $0.minimumElevation = 12 }
        let dialogue = ConfigurationDialogue(
            request, journals: journals, { _ in },
            identify: { $0 == "/dev/ttyUSB0" ? "1546:01a9:bow" : key })
        var run = Run(dialogue: dialogue, chip: DatabaseChip())
        run.open("/dev/ttyUSB0")
        try run.run(until: CfgVALSET.id)
        let error = DeviceError(.disconnected, device: "/dev/ttyUSB0")
        run.dialogue.receive(.lost(error), at: run.now)
        run.chip = DatabaseChip()
        run.open("/dev/ttyUSB1")
        try run.run()
        let isStored = try journals.file(for: "/dev/ttyUSB0").load() != nil
        return (try run.dialogue.result(), run.chip.requests, isStored)
    }

    @Test func `a change does not continue on another receiver, and is undone later`() throws {
        let (outcome, requests, isStored) = try change(thenConnecting: "1546:01a9:aft")
        guard case .failed(let error, .pending) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error.code == .anotherReceiver)
        #expect(requests.isEmpty)
        #expect(isStored)
    }

    @Test(arguments: ["1546:01a9:bow", nil] as [String?])
    func `a change continues on the same receiver, and on one that cannot be recognised`(
        _ key: String?
    ) throws {
        let (outcome, requests, isStored) = try change(thenConnecting: key)
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.contains(CfgVALSET.id))
        #expect(!isStored)
    }

    @Test(arguments: [false, true])
    func `a dialogue states whether it has changed the receiver`(isChange: Bool) throws {
        let request =
            isChange ? DatabaseTests.request { $0.minimumElevation = 12 } : ConfigurationRequest()
        let dialogue = ConfigurationDialogue(
            request, journals: nil, { _ in }, identify: { _ in nil })
        var run = Run(dialogue: dialogue, chip: DatabaseChip())
        run.open("/dev/ttyUSB0")
        try run.run()
        guard case .done = try run.dialogue.result() else {
            Issue.record("failed")
            return
        }
        #expect(run.dialogue.hasChangedReceiver == isChange)
    }

    @Test func `a change does not replace the journal of another receiver`() throws {
        let journals = JournalFolder(path: folder.path("state"))
        let file = journals.file(for: "/dev/ttyUSB0")
        let journal = ConfigurationJournal(receiver: "u-blox M8", baudRates: [38400])
        try file.store(journal)
        let dialogue = ConfigurationDialogue(
            DatabaseTests.request { $0.minimumElevation = 12 }, journals: journals, { _ in },
            identify: { _ in nil })
        var run = Run(dialogue: dialogue, chip: DatabaseChip())
        run.open("/dev/ttyUSB0")
        try run.run()
        guard case .failed(let error, .unchanged) = try run.dialogue.result() else {
            Issue.record("changed")
            return
        }
        #expect(error.code == .anotherReceiver)
        #expect(error.remedy?.contains(file.path) == true)
        #expect(!run.chip.requests.contains(CfgVALSET.id))
        #expect(try file.load()?.receiver == journal.receiver)
    }

    @Test(arguments: [true, false])
    func `the message about a journal that cannot be used names the file`(
        _ isMalformed: Bool
    ) throws {
        let journals = JournalFolder(path: folder.path)
        let file = journals.file(for: "/dev/ttyUSB0")
        let journal = ConfigurationJournal(receiver: "u-blox M8", baudRates: [38400])
        let text = isMalformed ? "receiver" : journal.toml
        let name = String(file.path.dropFirst(folder.path.count + 1))
        _ = try folder.file(name, Array(text.utf8))
        let error = Mutex<ConfigurationError?>(nil)
        let dialogue = ConfigurationDialogue(
            ConfigurationRequest(), journals: journals,
            { news in
                if case .recovered(let reason?) = news { error.withLock { $0 = reason } }
            }, identify: { _ in nil })
        var run = Run(dialogue: dialogue, chip: DatabaseChip())
        run.open("/dev/ttyUSB0")
        try run.run()
        let found = error.withLock { $0 }
        #expect(found?.code == (isMalformed ? .malformedFile : .anotherReceiver))
        #expect(
            found?.remedy?.hasSuffix("delete \(file.path)") == true, "\(String(describing: found))")
    }
}
