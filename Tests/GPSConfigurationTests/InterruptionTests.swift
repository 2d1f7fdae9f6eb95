// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSTestSupport
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct InterruptionTests {
    static let requested: ConfigurationRequest = {
        var request = ConfigurationRequest()
        request.configuration.rate = 5
        request.configuration.baudRate = 115_200
        request.configuration.messages = .both
        request.configuration.constellations = [.gps, .galileo]
        request.configuration.dynamics = .sea
        return request
    }()

    static let slower: ConfigurationRequest = {
        var request = ConfigurationRequest()
        request.configuration.baudRate = 9600
        request.configuration.messages = .list(["RMC": 1, "GGA": 1])
        request.configuration.constellations = [.gps]
        return request
    }()

    /// After every output of a session, the program may end, the cable be unplugged, or the power
    /// fail.
    @Test(arguments: [requested, slower])
    func `a session that ends at any step leaves what restores the receiver`(
        _ request: ConfigurationRequest
    ) throws {
        let fresh = DatabaseChip()
        var whole = Conversation(request, fresh)
        try whole.report()
        var journals = 0
        for limit in 0..<2000 {
            var first = Conversation(request, fresh)
            if first.run(outputs: limit) != nil { break }
            guard let journal = first.journal else {
                // Nothing was changed, or everything was verified.
                let isUnchanged = first.chip.values == fresh.values
                #expect(isUnchanged || first.chip.values == whole.chip.values, "output \(limit)")
                continue
            }
            journals += 1
            let stored = try ConfigurationJournal(toml: journal.toml)
            #expect(stored == journal)
            var recovery = ConfigurationRequest()
            recovery.journal = stored
            // The next start finds the rate at which the receiver sends.
            for hostRate in Set([first.chip.baudRate, 38400]) {
                var second = Conversation(recovery, first.chip, hostRate: hostRate)
                guard case .done? = second.run() else {
                    Issue.record("output \(limit): not restored")
                    continue
                }
                #expect(second.chip.values == fresh.values, "output \(limit)")
                #expect(second.hostRate == 38400)
                #expect(second.journal == nil)
            }
            // After a loss of power, the receiver has lost the change, and the rollback has no
            // effect.
            var third = Conversation(recovery, fresh)
            guard case .done? = third.run() else {
                Issue.record("output \(limit): not restored after power-off")
                continue
            }
            #expect(third.chip.values == fresh.values)
        }
        #expect(journals > 5)
    }

    @Test func `a journal is for the receiver that it names`() throws {
        let journal = (0..<2000).lazy.compactMap { limit in
            var first = Conversation(Self.requested, DatabaseChip())
            _ = first.run(outputs: limit)
            return first.journal
        }.first
        let found: ConfigurationJournal = try #require(journal)
        var recovery = ConfigurationRequest()
        recovery.journal = found
        var other = DatabaseChip()
        other.hasFlash = false
        var second = Conversation(recovery, other)
        guard case .failed(let error, .pending)? = second.run() else {
            Issue.record("restored another receiver")
            return
        }
        #expect(error.code == .anotherReceiver)
        #expect(second.chip.values == other.values)
    }

    @Test func `a journal that cannot be deleted is reported`() throws {
        let folder = try TemporaryFolder()
        try JournalFile(path: folder.path("missing.toml")).store(nil)
        // A folder cannot be deleted as a file.
        let error = #expect(throws: DeviceError.self) {
            try JournalFile(path: folder.path).store(nil)
        }
        #expect(error?.description.contains("the next start undoes the change") == true)
    }

    @Test func `a journal that cannot be written is reported with its path and the reason`() throws
    {
        let folder = try TemporaryFolder()
        let path = "\(try folder.file("file", []))/configure.toml"
        let journal = try ConfigurationJournal(
            toml: "receiver = \"x\"\nrates = [9600]\nundo = []\nundo-rates = []")
        let error = #expect(throws: DeviceError.self) {
            try JournalFile(path: path).store(journal)
        }
        #expect(
            error?.description == "\(path) cannot be written or deleted (Not a directory): check "
                + "the permissions of its folder, and the free space of its disk.")
    }

    @Test(arguments: [
        "", "receiver = 1", "receiver = \"x\"\nrates = [1]\nundo = [\"B5\"]\nundo-rates = []",
        "receiver = \"x\"\nrates = [1]\nundo = [\"B\"]\nundo-rates = [0]",
    ])
    func `a damaged journal is an error`(_ text: String) {
        #expect(throws: ConfigurationError.self) { try ConfigurationJournal(toml: text) }
    }
}
