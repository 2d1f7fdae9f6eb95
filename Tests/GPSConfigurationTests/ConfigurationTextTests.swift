// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct ConfigurationTextTests {
    @Test func `the version of the protocol has two decimals`() {
        var chip = DatabaseChip()
        chip.hasFlash = false
        var conversation = Conversation(ConfigurationRequest(), chip)
        guard case .done(let report)? = conversation.run() else {
            Issue.record("not done")
            return
        }
        let lines = ConfigurationText.lines(report)
        #expect(lines.contains { $0.hasPrefix("protocol ") && $0.hasSuffix(" 34.10") }, "\(lines)")
    }

    @Test(
        arguments: [
            (2, true, "would restore the factory settings, then change rate: 1 → 2, then "
                + "save the settings, then make a warm start"),
            (nil, true, "would restore the factory settings, then save the settings, then "
                + "make a warm start"),
            (2, false, "would change rate: 1 → 2"), (1, false, "nothing to change"),
        ] as [(Double?, Bool, String)])
    func `a dry run announces all actions in their order`(
        _ rate: Double?, _ hasActions: Bool, _ text: String
    ) {
        var request = DatabaseTests.request { $0.rate = rate }
        request.isDryRun = true
        (request.saves, request.resetsToFactory) = (hasActions, hasActions)
        request.restart = hasActions ? .warm : nil
        var conversation = Conversation(request, DatabaseChip())
        guard case .done? = conversation.run() else {
            Issue.record("not done")
            return
        }
        let texts = conversation.progress.compactMap { ConfigurationText.text($0, of: request) }
        #expect(texts.dropFirst() == [text])
        #expect(conversation.chip.requests.allSatisfy { ![CfgVALSET.id, CfgRST.id].contains($0) })
    }
}
