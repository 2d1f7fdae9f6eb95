// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The events that a listener receives.
@Suite(.timeLimit(.generous)) struct ListenerTests {
    private struct Listener: DecoderListener {
        let wantsSentences: Bool
        var sentences = 0
        var rejections = 0
        var fixes: [Fix] = []

        mutating func didReceive(sentence: RawSentence) { sentences += 1 }
        mutating func didReceive(rejection: Rejection) { rejections += 1 }
        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            fixes.append(fix)
        }
    }

    private func decode(_ text: String, wantsSentences: Bool) -> Listener {
        var decoder = NMEADecoder()
        var listener = Listener(wantsSentences: wantsSentences)
        decoder.push(text.bytes.span, to: &listener)
        decoder.finish(to: &listener)
        return listener
    }

    @Test func `a listener without sentences receives all other events`() {
        let text = Cycle.run(3).map { $0.rmc() + $0.gga() }.joined() + line("GPGLL,4812.5,N")
        let all = decode(text, wantsSentences: true)
        let some = decode(text, wantsSentences: false)
        #expect(all.sentences == 7)
        #expect(some.sentences == 0)
        #expect(some.rejections == 1 && all.rejections == 1)
        #expect(some.fixes == all.fixes)
        #expect(some.fixes.count == 3)
    }
}
