// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

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
