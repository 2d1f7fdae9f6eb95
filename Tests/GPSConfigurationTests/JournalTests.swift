// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSIO
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Synchronization
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct DeviceJournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a journal belongs to a device, not to the name of its tty`() {
        let journals = JournalFolder(path: "/state")
        func path(_ tty: String, _ key: String?) -> String {
            journals.file(for: tty, key: key).path
        }
        let bow = path("/dev/ttyUSB0", "0403:6001:A10029XY:0")
        #expect(bow == path("/dev/ttyUSB1", "0403:6001:A10029XY:0"))
        #expect(bow != path("/dev/ttyUSB0", "0403:6001:A10030ZZ:0"))
        #expect(bow != path("/dev/ttyUSB0", nil))
        #expect(path("/dev/ttyS0", nil) != path("/dev/ttyS1", nil))
        #expect(bow == "/state/configure-0403-6001-A10029XY-0.toml")
    }

    @Test func `of two devices with the same serial number, each has a journal`() throws {
        let journals = JournalFolder(path: folder.path("state"))
        func file(_ port: String, hasTwin: Bool) -> JournalFile {
            journals.file(
                for: "/dev/ttyUSB0", key: "10c4:ea60:0001:0", port: port, hasTwin: hasTwin)
        }
        let bow = file("usb-0:1.2", hasTwin: true)
        #expect(bow.path != file("usb-0:1.3", hasTwin: true).path)
        let alone = file("usb-0:1.2", hasTwin: false)
        #expect(alone.path == file("usb-0:1.3", hasTwin: false).path && alone.path != bow.path)
        let journal = try ConfigurationJournal(
            toml: """
                receiver = "u-blox M8"
                rates = [115200]
                undo = ["b562"]
                undo-rates = [0]
                """)
        try bow.store(journal)
        // The other device has been unplugged.
        #expect(file("usb-0:1.2", hasTwin: false).path == bow.path)
        #expect(file("usb-0:1.3", hasTwin: false).path == alone.path)
    }

    /// Returns the chip and the settings that `configure` reads, and whether it reports that it has
    /// undone an interrupted change. On a busy machine, answers may come too late, so it reads until
    /// the rate is known; the test's time limit ends that.
    private func read(
        _ session: ReceiverSession, _ journals: JournalFolder
    ) async throws -> (chip: String, rate: Double, hasRecovered: Bool) {
        let hasRecovered = Mutex(false)
        while true {
            try Task.checkCancellation()
            let outcome = try await session.configure(ConfigurationRequest(), journals: journals) {
                if case .recovered(nil) = $0 { hasRecovered.withLock { $0 = true } }
            }
            guard case .done(let report) = outcome, let before = report.before,
                let rate = before.configuration.rate
            else { continue }
            return (before.identity.description, rate, hasRecovered.withLock { $0 })
        }
    }

    /// The journal of a change to the rate of a chip whose previous period was `period` milliseconds.
    private func journal(of chip: String, period: UInt16) throws -> ConfigurationJournal {
        var rate = CfgRATE()
        rate.measurementPeriod = period
        let undo = rate.frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return try ConfigurationJournal(
            toml: """
                receiver = "\(chip)"
                rates = [115200]
                undo = ["\(undo.joined())"]
                undo-rates = [0]
                """)
    }

    @Test func `an interrupted change is undone before the next request`() async throws {
        var simulated = SimulatedReceiver.Configuration()
        simulated.personality = .ublox8
        simulated.baudRate = BaudRate(rawValue: 115_200)
        let terminal = try SimulatedTerminal(simulated, link: folder.path("gps"))
        let simulation = Simulation(simulated, outputs: [terminal])
        // On a background thread, because on a busy machine other tests would delay its answers.
        let simulating = Task(executorPreference: BackgroundExecutor.shared) {
            try await simulation.run()
        }
        defer { simulating.cancel() }
        let path = try #require(terminal.path)
        let session = ReceiverPool().session(for: SerialSource(path, baudRate: simulated.baudRate))
        let journals = JournalFolder(path: folder.path("state"))
        let (chip, rate, hasRecovered) = try await read(session, journals)
        #expect(rate == 1 && !hasRecovered)
        let file = journals.file(for: path)
        try file.store(journal(of: chip, period: 500))
        #expect(try await read(session, journals).rate == 2)
        #expect(try file.load() == nil)
        // A task that read the journal before that must not undo a later change.
        let obsolete = try journal(of: chip, period: 250)
        #expect(try await session.undo(obsolete, at: path, journals) == nil)
        #expect(try await read(session, journals).rate == 2)
    }
}
