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
}
