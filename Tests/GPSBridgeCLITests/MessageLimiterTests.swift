// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSTestSupport
import Testing

/// The limit of messages that data causes.
@Suite(.timeLimit(.generous))
struct MessageLimiterTests {
    private let start = MonotonicInstant.now

    @Test func `of many messages with one cause twelve are written, and the number of the others`()
    {
        var limiter = MessageLimiter()
        let passed = (0..<2000).count { number in
            limiter.passes("/dev/a reports positions in the datum W\(number % 7)X", at: start)
        }
        #expect(passed == 12)
        let passesOther = limiter.passes("/dev/a is lost", at: start)
        #expect(passesOther)
        let early = limiter.takeCounts(at: start + .seconds(59))
        #expect(early.isEmpty)
        #expect(limiter.deadline == start + .seconds(60))
        let counts = limiter.takeCounts(at: start + .seconds(60))
        #expect(
            counts == [
                "1988 messages like this in the last minute: "
                    + "/dev/a reports positions in the datum W4X"
            ])
        #expect(limiter.deadline == nil)
        let passesLater = limiter.passes(
            "/dev/a reports positions in the datum W1X", at: start + .seconds(61))
        #expect(passesLater)
    }

    @Test func `messages with words from data are limited together`() {
        var limiter = MessageLimiter()
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let passed = (0..<10_000).count { number in
            let word = String([
                letters[number % 26], letters[number / 26 % 26], letters[number / 676],
            ])
            return limiter.passes("receiver says \(word)", at: start)
        }
        #expect(passed == 60)
        let counts = limiter.takeCounts(at: start, isEnd: true)
        #expect(counts.count == 1)
    }

    @Test func `a receiver whose datum changes with every epoch does not fill the log`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(words: ["monitor", "-f", "text", receiver.path])
        await receiver.waitForReader()
        let data = ["$GPDTM,P90,,1.0,N,1.0,E,0.0,W84*6D", "$GPDTM,999,,1.0,N,1.0,E,0.0,W84*0D"]
        for second in 0..<40 {
            await receiver.send("\(data[second % 2])\r\n")
            await receiver.sendEpoch(second)
        }
        await run.end()
        // Several of these may arrive together.
        let messages = try await run.messages().filter { $0.contains("datum") }
        #expect(1...13 ~= messages.count, "\(messages)")
    }
}
