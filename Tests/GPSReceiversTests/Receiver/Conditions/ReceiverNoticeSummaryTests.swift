// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ReceiverNoticeSummaryTests {
    @Test func `only a serial line may have a wrong baud rate`() {
        let notice = ReceiverNotice.noSentences(bytes: 1)
        #expect(
            notice.summary(of: SerialSource("/dev/ttyACM0"))
                == "1 byte, but no valid sentence yet: wrong baud rate?")
        #expect(
            notice.summary(of: TCPSource(host: "boat", port: 10110))
                == "1 byte, but no valid sentence yet")
    }

    @Test func `a notice without a problem has no summary`() {
        let source = SerialSource("/dev/ttyACM0")
        #expect(ReceiverNotice.rateFound(LineSettings(.default)).summary(of: source) == nil)
        #expect(ReceiverNotice.otherReader(nil).summary(of: source) == nil)
        #expect(
            ReceiverNotice.noSentences(bytes: 0).summary(of: source) == "no data arrives")
    }
}
