// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct MonotonicInstantTests {
    @Test func `instants are offset by the given duration`() {
        let now = MonotonicInstant.now
        let later = now + .milliseconds(1500)
        #expect(later - now == .milliseconds(1500))
        #expect(later.duration(to: now) == .milliseconds(-1500))
        #expect(later - .milliseconds(1500) == now)
        #expect(now < later)
    }

    @Test func `time also advances while the machine is suspended`() {
        let before = bootTime()
        let now = MonotonicInstant.now.nanoseconds
        #expect(before <= now && now <= bootTime())
    }

    private func bootTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test func `elapsed time matches the continuous clock`() {
        let before = ContinuousClock.now
        let start = MonotonicInstant.now
        let elapsed = MonotonicInstant.now - start
        // The continuous clock was read before and after, so that its interval is longer.
        #expect(elapsed <= ContinuousClock.now - before)
        #expect(elapsed >= .zero)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000_000_000 + 1)])
    func `instants are clamped to the last one`(_ duration: Duration) {
        let last = MonotonicInstant.now + duration
        #expect(last + .seconds(1) == last)
        let first = MonotonicInstant.now - duration - duration
        #expect(first - .seconds(1) == first)
        #expect(first < last)
    }
}
