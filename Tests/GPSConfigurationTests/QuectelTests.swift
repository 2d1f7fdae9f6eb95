// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing

/// An LG290P that confirms and returns a new rate, but applies it only after a restart.
private struct PostponingChip: ModelChip {
    private var chip = ScriptedChip([])
    private var period = "1000"

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let text = String(decoding: bytes, as: UTF8.self).prefix { $0 != "*" }
        switch text {
        case "$PQTMVERNO":
            return [(30, sentence("PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01"))]
        case "$PQTMCFGFIXRATE,R": return [(30, sentence("PQTMCFGFIXRATE,OK,\(period)"))]
        case _ where text.hasPrefix("$PQTMCFGFIXRATE,W,"):
            period = String(text.dropFirst("$PQTMCFGFIXRATE,W,".count))
            return [(30, sentence("PQTMCFGFIXRATE,OK"))]
        default: return []
        }
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct QuectelTests {
    @Test func `a rate that a module applies after a restart is undone, with a remedy`() {
        let request = DatabaseTests.request { $0.rate = 5 }
        var conversation = Conversation(request, PostponingChip())
        guard case .failed(let error, .restored)? = conversation.run() else {
            Issue.record("reported as applied")
            return
        }
        #expect(error.code == .notApplied)
        #expect(error.remedy?.contains("PQTMSAVEPAR") == true)
    }

    private func identity(_ script: [(request: String, answers: [String])]) -> ReceiverIdentity? {
        var conversation = Conversation(ConfigurationRequest(), ScriptedChip(script))
        guard case .done(let report)? = conversation.run() else { return nil }
        return report.before?.identity
    }

    @Test(
        arguments: [
            ("LC86GLANR01A02S", .airoha), ("LC29HDANR11A03S", .airoha),
            ("LC79HALNR11A02S", .airoha), ("LG290P03AANR02A01S", .quectel),
        ] as [(String, ReceiverIdentity.Family)])
    func `the name of a module selects its commands`(
        _ name: String, _ family: ReceiverIdentity.Family
    ) {
        let answer = "PQTMVERNO,\(name),2024/04/30,10:53:07"
        #expect(identity([("$PQTMVERNO", [answer])])?.family == family)
    }

    @Test(arguments: ["ERROR,3", "SIMULATED,2026/01/01,00:00:00"])
    func `a module that does not answer with its name is identified by another request`(
        _ answer: String
    ) {
        let found = identity([
            ("$PQTMVERNO", ["PQTMVERNO,\(answer)"]),
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
        ])
        #expect(found?.family == .airoha && found?.model == "AG3335M")
    }
}
