// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSTestTraits
import Testing

/// The times at which a tty is checked for another reader.
@Suite(.timeLimit(.generous))
struct SharedLineSignsTests {
    private let start = MonotonicInstant.now

    private func fix(_ second: Int) -> Fix {
        var fix = Fix()
        fix.time = UTCTime(
            unixNanoseconds: 1_774_094_400_000_000_000 + Int64(second) * 1_000_000_000)
        return fix
    }

    /// Ten epochs with a number of sentences each.
    private func learned(_ sentences: Int = 8) -> OtherReaderSigns {
        var signs = OtherReaderSigns(at: start)
        for second in 0..<10 {
            for _ in 0..<sentences { signs.receivedSentence() }
            signs.received(fix(second))
        }
        return signs
    }

    private func isDue(_ signs: inout OtherReaderSigns, _ seconds: Int) -> Bool {
        signs.isCheckDue(at: start + .seconds(seconds))
    }

    @Test func `no check is required while all sentences arrive`() {
        var signs = learned()
        #expect(isDue(&signs, 10) == false)
    }

    @Test func `a rejected sentence requires a check`() {
        var signs = learned()
        signs.receivedRejection()
        #expect(isDue(&signs, 10) == true)
        #expect(isDue(&signs, 20) == false)
    }

    @Test func `a missing sentence of an epoch requires a check`() {
        var signs = learned()
        for _ in 0..<7 { signs.receivedSentence() }
        signs.received(fix(10))
        #expect(isDue(&signs, 10) == true)
    }

    @Test func `a missing epoch requires a check`() {
        var signs = learned()
        for _ in 0..<8 { signs.receivedSentence() }
        signs.received(fix(11))
        #expect(isDue(&signs, 11) == true)
    }

    @Test func `a line that is always bad is checked less and less often`() {
        var signs = learned()
        var looks = 0
        for second in 0..<86_400 {
            signs.receivedRejection()
            if signs.isCheckDue(at: start + .seconds(second)) { looks += 1 }
        }
        #expect(looks > 100 && looks < 160, "\(looks)")
    }

    @Test func `a sign soon after a check requires the next check later`() {
        var signs = OtherReaderSigns(at: start)
        signs.receivedRejection()
        #expect(isDue(&signs, 1) == false)
        #expect(isDue(&signs, 2) == true)
    }
}
