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
