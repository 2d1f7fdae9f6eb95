// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct MonotonicInstantTests {
    @Test func `later and earlier instants are as far apart as asked for`() {
        let now = MonotonicInstant.now
        let later = now + .milliseconds(1500)
        #expect(later - now == .milliseconds(1500))
        #expect(later.duration(to: now) == .milliseconds(-1500))
        #expect(later - .milliseconds(1500) == now)
        #expect(now < later)
    }

    @Test func `time goes on as the continuous clock has it`() {
        let before = ContinuousClock.now
        let start = MonotonicInstant.now
        let elapsed = MonotonicInstant.now - start
        // What is begun before and ended after it takes longer.
        #expect(elapsed <= ContinuousClock.now - before)
        #expect(elapsed >= .zero)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000_000_000 + 1)])
    func `beyond the last instant is the last one`(_ duration: Duration) {
        let last = MonotonicInstant.now + duration
        #expect(last + .seconds(1) == last)
        let first = MonotonicInstant.now - duration - duration
        #expect(first - .seconds(1) == first)
        #expect(first < last)
    }
}
