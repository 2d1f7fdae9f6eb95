// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// A chip that no longer answers after a restart.
private struct LostChip: ModelChip {
    private var chip = DatabaseChip()
    private var isLost = false

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let answers = chip.answers(to: bytes)
        isLost = isLost || chip.requests.last == CfgRST.id
        return isLost ? [] : answers
    }

    mutating func output(tenth: Int) -> [UInt8] { isLost ? [] : chip.output(tenth: tenth) }
}

/// A chip that refuses to restart.
private struct RefusingChip: ModelChip {
    private var chip = DatabaseChip()

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        UBXFrame(bytes.span)?.id == CfgRST.id
            ? [(20, acknowledgement(CfgRST.id, false))] : chip.answers(to: bytes)
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct RestartTests {
    @Test(arguments: [nil, 12] as [Int?])
    func `a receiver that is lost by a restart needs no rollback`(_ elevation: Int?) {
        var request = DatabaseTests.request { $0.minimumElevation = elevation }
        request.restart = .hot
        var conversation = Conversation(request, LostChip())
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
        var conversation = Conversation(request, RefusingChip())
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
