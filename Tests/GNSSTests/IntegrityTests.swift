// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct IntegrityTests {
    private func stored(_ integrity: Integrity) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(integrity), as: UTF8.self)
    }

    @Test func `nothing is known at first`() throws {
        #expect(try stored(Integrity()) == #"{"evidence":[],"reasons":[],"state":"unknown"}"#)
    }

    @Test func `verdicts with the same tests in another order are the same`() {
        func verdict(_ tests: [Integrity.Test]) -> Integrity {
            let reasons = tests.map { test in
                Integrity.Reason(
                    test: test, value: 1, threshold: 1, unit: "", since: nil, start: nil, text: "")
            }
            return Integrity(state: .alarm, reasons: reasons)
        }
        let one = verdict([.jamming, .positionStep])
        #expect(one.isSameVerdict(as: verdict([.positionStep, .jamming])))
        #expect(!one.isSameVerdict(as: verdict([.positionStep])))
    }

    @Test func `a verdict is stored with its reasons, without instants of this machine`() throws {
        let time = try #require(UTCTime(unixNanoseconds: 1_774_094_400_000_000_000))
        var reason = Integrity.Reason(
            test: .signalSpread, value: 1.1, threshold: 2, unit: "dB", since: time, start: .now,
            text: "C/N0 of 9 satellites within 1.1 dB for 7 s (limit 2.0)")
        var integrity = Integrity(
            state: .alarm, since: time, start: .now, reasons: [reason], evidence: [.signals])
        let text = try stored(integrity)
        #expect(
            text == #"{"evidence":["signals"],"reasons":[{"since":"2026-03-21T12:00:00.000Z","#
                + #""test":"signalSpread","#
                + #""text":"C/N0 of 9 satellites within 1.1 dB for 7 s (limit 2.0)","#
                + #""threshold":2,"unit":"dB","value":1.1}],"#
                + #""since":"2026-03-21T12:00:00.000Z","state":"alarm"}"#)
        reason.start = nil
        (integrity.start, integrity.reasons) = (nil, [reason])
        #expect(try JSONDecoder().decode(Integrity.self, from: Data(text.utf8)) == integrity)
    }
}
