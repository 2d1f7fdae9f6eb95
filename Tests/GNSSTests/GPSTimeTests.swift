// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Glibc
import Testing

/// Weeks and times of week.
@Suite(.timeLimit(.generous))
struct GPSTimeTests {
    private static func instant(_ year: Int, _ month: Int, _ day: Int) throws -> UTCTime {
        UTCTime(
            date: try #require(CalendarDate(year: year, month: month, day: day)),
            time: TimeOfDay(wrapping: 43_200_000_000_000))
    }

    /// The dates with the week and the time of week in seconds, by Python's `datetime`.
    @Test(arguments: [
        ((1980, 1, 6), 0, 43_200), ((2026, 3, 21), 2410, 561_618), ((2272, 4, 20), 15_250, 561_618),
        ((2300, 1, 1), 16_696, 129_618), ((9999, 12, 31), 418_462, 475_218),
    ])
    func `every date of the calendar has a week`(
        date: (year: Int, month: Int, day: Int), week: Int, seconds: Int64
    ) throws {
        let time = try #require(GPSTime(Self.instant(date.year, date.month, date.day)))
        #expect(time.week == week)
        #expect(time.nanoseconds == seconds * 1_000_000_000)
    }

    @Test(arguments: [Int.min, Int.max, 1_000_000, -1_000_000])
    func `an impossible number of leap seconds gives no time`(leap: Int) throws {
        #expect(GPSTime(try Self.instant(2026, 3, 21), leapSeconds: leap) == nil)
        #expect(GPSTime(week: 2410, nanoseconds: 0).utc(leapSeconds: leap) == nil)
        #expect(GPSTime(week: .max, nanoseconds: .max).utc() == nil)
    }

    @Test func `leap seconds may move an instant into another week`() throws {
        let sunday = UTCTime(
            date: try #require(CalendarDate(year: 2026, month: 3, day: 22)),
            time: TimeOfDay(wrapping: 0))
        #expect(GPSTime(sunday, leapSeconds: -1)?.week == 2410)
        #expect(GPSTime(sunday, leapSeconds: -1)?.nanoseconds == 604_799_000_000_000)
        #expect(GPSTime(sunday, leapSeconds: 18)?.week == 2411)
    }

    @Test(arguments: [Int.min, Int.max, 3_000_000, -3_000_000])
    func `days beyond the calendar are not added`(days: Int) throws {
        let date = try Self.instant(2026, 3, 21).date
        #expect(date.adding(days: days) == date)
    }

    @Test func `any number of seconds has a number of nanoseconds`() {
        #expect(Int64(nanosecondsIn: .nan) == 0)
        #expect(Int64(nanosecondsIn: 1.5) == 1_500_000_000)
        for seconds in [Double.infinity, 1e300] {
            #expect(Int64(nanosecondsIn: seconds) == 9_000_000_000_000_000_000)
            #expect(Int64(nanosecondsIn: -seconds) == -9_000_000_000_000_000_000)
        }
    }
}

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
