// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct ConfigurationTextTests {
    @Test func `the version of the protocol has two decimals`() throws {
        var chip = DatabaseChip()
        chip.hasFlash = false
        var conversation = Conversation(ConfigurationRequest(), chip)
        let report = try conversation.report()
        let lines = ConfigurationText.lines(report, after: ConfigurationRequest())
        #expect(lines.contains { $0.hasPrefix("protocol ") && $0.hasSuffix(" 34.10") }, "\(lines)")
    }

    @Test(arguments: [
        (
            2, false, false,
            "changed rate; not saved, so it lasts until the receiver loses power (--save)"
        ),
        (2, true, false, "changed rate, then saved the settings"),
        (1, true, false, "saved the settings"),
        (1, false, false, "nothing to change"),
        (2, true, true, "nothing was changed, because of --dry-run"),
    ])
    func `the last line says what was done, and whether it was saved`(
        _ rate: Double, _ saves: Bool, _ isDryRun: Bool, _ text: String
    ) throws {
        var request = DatabaseTests.request { $0.rate = rate }
        (request.saves, request.isDryRun) = (saves, isDryRun)
        var conversation = Conversation(request, DatabaseChip())
        let lines = ConfigurationText.lines(try conversation.report(), after: request)
        #expect(lines.last == "done                    \(text)", "\(lines)")
        var reading = Conversation(ConfigurationRequest(), DatabaseChip())
        let read = ConfigurationText.lines(try reading.report(), after: ConfigurationRequest())
        #expect(!read.contains { $0.hasPrefix("done ") }, "nothing was asked for")
    }

    @Test func `messages that were sent before an error are not called settings`() {
        var request = ConfigurationRequest()
        request.messages = ["PAIR050,1000", "PAIR999"].map {
            DescribedMessage(TextLine.sentence($0), text: $0)
        }
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
            ("$PAIR050", ["PAIR001,050,0"]), ("$PAIR999", ["PAIR001,999,3"]),
        ])
        var conversation = Conversation(request, chip)
        guard case .failed(let error, let rollback)? = conversation.run() else {
            Issue.record("accepted")
            return
        }
        #expect(error.reason == "refused 'PAIR999'")
        #expect(
            ConfigurationText.text(rollback)
                == " (changes made before this error remain in effect)")
    }

    @Test(
        arguments: [
            (
                2, true,
                "would restore the factory settings, then change rate: 1 → 2, then "
                    + "save the settings, then make a warm start"
            ),
            (
                nil, true,
                "would restore the factory settings, then save the settings, then "
                    + "make a warm start"
            ),
            (2, false, "would change rate: 1 → 2"), (1, false, "nothing to change"),
        ] as [(Double?, Bool, String)])
    func `a dry run announces all actions in their order`(
        _ rate: Double?, _ hasActions: Bool, _ text: String
    ) throws {
        var request = DatabaseTests.request { $0.rate = rate }
        request.isDryRun = true
        (request.saves, request.resetsToFactory) = (hasActions, hasActions)
        request.restart = hasActions ? .warm : nil
        var conversation = Conversation(request, DatabaseChip())
        try conversation.report()
        let texts = conversation.progress.compactMap { ConfigurationText.text($0, of: request) }
        #expect(texts.dropFirst() == [text])
        #expect(conversation.chip.requests.allSatisfy { ![CfgVALSET.id, CfgRST.id].contains($0) })
    }
}
