// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct SystemClockTests {
    @Test func `the steady clock is the one that also advances while the machine is suspended`() {
        let before = bootTime()
        let steady = SystemClock.steadyNanoseconds
        #expect(before <= steady && steady <= bootTime())
    }

    private func bootTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
