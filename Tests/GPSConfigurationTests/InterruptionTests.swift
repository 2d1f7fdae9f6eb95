// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
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

@Suite(.timeLimit(.generous))
struct RereadingTests {
    @Test(arguments: [(CfgNAV5.id, "elevation"), (CfgMSG.id, "message GGA")])
    func `a change that the receiver does not report afterwards is not verified`(
        _ group: UBXMessageID, _ name: String
    ) throws {
        let request = DatabaseTests.request {
            if group == CfgNAV5.id {
                $0.minimumElevation = 12
            } else {
                $0.messages = .list(["GGA": 2, "RMC": 1])
            }
        }
        // The M8 no longer answers the request for the group after it was changed.
        let forgetful = AlteredChip(LegacyChip()) { chip, bytes in
            let frame = UBXFrame(bytes.span)
            let count = frame?.id == group ? frame?.payload.count ?? 1 : 1
            let isPoll = count == 0 || group == CfgMSG.id && count == 2
            return isPoll && chip.changes.contains(group) ? [] : chip.answers(to: bytes)
        }
        var conversation = Conversation(request, forgetful)
        let report = try conversation.report()
        #expect(report.warnings.contains { $0.contains(name) }, "\(report.warnings)")
    }

    @Test func `a change that the receiver reports has no warning`() throws {
        let request = DatabaseTests.request { $0.minimumElevation = 12 }
        var conversation = Conversation(request, LegacyChip())
        let report = try conversation.report()
        #expect(
            !report.warnings.contains { $0.contains("report") || $0.contains("verified") },
            "\(report.warnings)")
    }

    @Test func `a change of a setting that the receiver never reports has a warning`() throws {
        var chip = DatabaseChip()
        chip.unreadable = [.minimumElevation]
        let request = DatabaseTests.request { $0.minimumElevation = 12 }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(conversation.chip.values[.minimumElevation] == 12)
        #expect(
            report.warnings.contains { $0.contains("did not report elevation") },
            "\(report.warnings)")
    }

    @Test func `a setting that the receiver never reports is saved with the requested value`()
        throws
    {
        var chip = DatabaseChip()
        chip.unreadable = [.minimumElevation]
        var request = DatabaseTests.request { $0.minimumElevation = 12 }
        request.saves = true
        var conversation = Conversation(request, chip)
        #expect(try conversation.report().saved?.storage == .flash)
        #expect(conversation.chip.saved == [.minimumElevation: 12])
    }

    @Test func `a receiver that reports no settings is not reported to have saved them`() {
        var request = ConfigurationRequest()
        request.saves = true
        var chip = DatabaseChip()
        chip.answersValues = false
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("reported as saved")
            return
        }
        #expect(error.code == .noAnswer)
    }

    @Test func `a baud rate that the receiver never reports is verified, because it answers at it`()
        throws
    {
        var chip = DatabaseChip()
        chip.unreadable = [try #require(ConfigurationKey.baudRate(of: .uart1))]
        let request = DatabaseTests.request { $0.baudRate = 115_200 }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(conversation.hostRate == 115_200 && conversation.chip.baudRate == 115_200)
        #expect(report.before?.configuration.baudRate == nil)
        #expect(report.warnings.isEmpty, "\(report.warnings)")
    }
}

/// Chips whose answers to the version requests are shorter than usual.
@Suite(.timeLimit(.generous))
struct IdentityTests {
    private func configured(
        _ chip: some ModelChip, _ change: (inout ReceiverConfiguration) -> Void = { _ in }
    ) -> ConfigurationResult? {
        var conversation = Conversation(DatabaseTests.request(change), chip)
        guard case .done(let report)? = conversation.run() else { return nil }
        return report
    }

    @Test(arguments: [true, false])
    func `a u-blox M9 or M10 that does not report its protocol has configuration keys`(
        _ hasFlash: Bool
    ) {
        var chip = DatabaseChip()
        (chip.hasFlash, chip.hasExtensions) = (hasFlash, false)
        let report = configured(chip) { $0.minimumElevation = 12 }
        #expect(report?.before?.identity.family == .ublox)
        #expect(report?.before?.identity.model == (hasFlash ? "9" : "M10"))
        #expect(report?.before?.identity.protocolVersion == nil)
        #expect(report?.after?.configuration.minimumElevation == 12)
    }

    @Test func `an M8 that does not report its protocol has the messages of an M8`() {
        var chip = LegacyChip()
        chip.protocolVersion = nil
        let report = configured(chip) { $0.messages = .ubx }
        let expected = ["NAV-PVT", "NAV-SAT", "NAV-DOP"]
        #expect(
            report?.after?.configuration.messages
                == .list(Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) })))
    }

    @Test(
        arguments: [
            ("$PMTK605", "PMTK705,MC-1513-2.2A,0003,,2.2A", "MediaTek MT33xx (MC-1513-2.2A)"),
            ("$PCAS06,0", "GPTXT,01,01,02,SW=URANUS2,V2.4.3.0", "CASIC chip (URANUS2,V2.4.3.0)"),
            ("$PCAS06,0", "GPTXT,01,01,02,SW=URANUS5,V5.2.1.0", "CASIC AT6558 (URANUS5,V5.2.1.0)"),
        ])
    func `a model that a chip does not report is not another one`(
        _ request: String, _ answer: String, _ identity: String
    ) {
        let report = configured(ScriptedChip([(request, [answer])]))
        #expect(report?.before?.identity.description == identity)
    }
}
