// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Synchronization
import Testing
import UBX

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
