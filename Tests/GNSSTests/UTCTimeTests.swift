// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous)) struct UTCTimeTests {
    private func instant(_ seconds: Int64) throws -> UTCTime {
        try #require(UTCTime(unixNanoseconds: seconds * 1_000_000_000))
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"), (2_147_483_648, "2038-01-19T03:14:08.000Z"),
        ] as [(Int64, String)])
    func `Unix times survive ISO 8601`(seconds: Int64, text: String) throws {
        let time = try instant(seconds)
        #expect(time.description == text)
        #expect(time.unixNanoseconds == seconds * 1_000_000_000)
    }

    @Test func `the nearest time of day is at most twelve hours away`() throws {
        let noon = try instant(12 * 3600)
        let midnight = try instant(24 * 3600)
        let early = try #require(TimeOfDay(hour: 0, minute: 0, second: 1))
        let late = try #require(TimeOfDay(hour: 23, minute: 59, second: 59))
        #expect(noon.nearest(early).description == "1970-01-01T00:00:01.000Z")
        #expect(noon.nearest(late).description == "1970-01-01T23:59:59.000Z")
        #expect(midnight.nearest(late).description == "1970-01-01T23:59:59.000Z")
        #expect(try instant(86_399).nearest(early).description == "1970-01-02T00:00:01.000Z")
    }

    @Test func `a date that changes up to ten seconds after midnight is the previous one`() throws {
        let day: Int64 = 86_400
        let last = try instant(day - 1)
        #expect(try instant(0).hasPreviousDate(comparedTo: last))
        #expect(try instant(5).hasPreviousDate(comparedTo: instant(day + 6)))
        #expect(try !instant(day).hasPreviousDate(comparedTo: last), "the date is correct")
        #expect(try !instant(10).hasPreviousDate(comparedTo: last), "it is too late")
        #expect(try !instant(5).hasPreviousDate(comparedTo: instant(2 * day)), "two days")
    }

    @Test func `instants beyond the range of nanoseconds are clamped`() throws {
        let midnight = try #require(TimeOfDay(hour: 0, minute: 0, second: 0))
        let late = try #require(CalendarDate(year: 9999, month: 12, day: 31))
        let early = try #require(CalendarDate(year: 1, month: 1, day: 1))
        #expect(UTCTime(date: late, time: midnight).unixNanoseconds == .max)
        #expect(UTCTime(date: early, time: midnight).unixNanoseconds == .min)
    }

    @Test func `differences of times after 2262 are exact`() throws {
        let last = try #require(UTCTime(iso8601: "9999-12-31T23:59:59Z"))
        let before = try #require(UTCTime(iso8601: "9999-12-30T00:00:00Z"))
        #expect(last.nanoseconds(since: before) == 172_799_000_000_000)
        #expect(last.nanoseconds(since: try instant(0)) == nil)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max])
    func `every count of nanoseconds gives an instant with that count`(count: Int64) throws {
        let time = try #require(UTCTime(unixNanoseconds: count))
        #expect(time.unixNanoseconds == count)
    }

    @Test(arguments: [
        ("2026-03-23T12:35:19Z", "2026-03-23T12:35:19.000Z"),
        ("2026-03-23T12:35:19", "2026-03-23T12:35:19.000Z"),
        ("2026-03-23T00:35:19.123456789123+01:30", "2026-03-22T23:05:19.123Z"),
        ("2026-03-23T23:35:19-00:30", "2026-03-24T00:05:19.000Z"),
        ("2026-03-23T23:35:19+0530", "2026-03-23T18:05:19.000Z"),
        ("2026-03-23T23:35:19-03", "2026-03-24T02:35:19.000Z"),
        ("2026-03-23t12:35:19,5z", "2026-03-23T12:35:19.500Z"),
        ("9999-12-31T23:35:19+00:30", "9999-12-31T23:05:19.000Z"),
        ("9999-12-31T23:35:19-00:30", nil), ("0001-01-01T00:00:00+01:00", nil),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60.000Z"),
        ("2016-12-31T23:59:60.5+00:00", "2016-12-31T23:59:60.500Z"),
        ("2017-01-01T05:29:60+05:30", "2016-12-31T23:59:60.000Z"),
        ("2017-01-01T00:59:60Z", nil), ("2026-03-23T12:35:61Z", nil),
        ("2026-03-23T12:35:19+02:", nil), ("2026-03-23T12:35:19+02000", nil),
        ("2026-02-29T00:00:00Z", nil), ("2026-03-23T12:35Z", nil), ("2026-03-23T12:35:19.Z", nil),
        ("2026-03-23T12:35:19Zulu", nil), ("2026-03-23T12:35:19+2", nil), ("", nil),
    ])
    func `times are read with fractions and offsets`(_ text: String, _ expected: String?) {
        #expect(UTCTime(iso8601: text)?.description == expected)
    }
}

@Suite(.timeLimit(.generous)) struct CalendarDateTests {
    @Test(arguments: [
        (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1),
        (2024, 1, 0), (0, 1, 1), (10_000, 1, 1),
    ])
    func `days that do not exist are rejected`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [(2024, 2, 29), (2000, 2, 29), (1, 1, 1), (9999, 12, 31)])
    func `days that exist are accepted`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) != nil)
    }

    @Test func `days of four centuries have consecutive numbers`() throws {
        var previous = try #require(CalendarDate(year: 1899, month: 12, day: 31))
        for days in previous.daysSince1970 + 1...previous.daysSince1970 + 146_097 {
            let date = try #require(CalendarDate(daysSince1970: days))
            #expect(date.daysSince1970 == days)
            #expect(previous.adding(days: 1) == date)
            previous = date
        }
        #expect(previous == CalendarDate(year: 2299, month: 12, day: 31))
    }

    @Test func `1 January 1970 is day 0, and earlier days are negative`() {
        #expect(CalendarDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
        #expect(CalendarDate(year: 1969, month: 12, day: 31)?.daysSince1970 == -1)
        #expect(CalendarDate(year: 2026, month: 3, day: 21)?.daysSince1970 == 20_533)
    }

    @Test func `the calendar ends with the year 9999`() throws {
        let last = try #require(CalendarDate(year: 9999, month: 12, day: 31))
        #expect(last.adding(days: 1) == last)
        #expect(CalendarDate(daysSince1970: last.daysSince1970 + 1) == nil)
    }
}

@Suite(.timeLimit(.generous)) struct TimeOfDayTests {
    private func time(_ hour: Int, _ minute: Int, _ second: Int) throws -> TimeOfDay {
        try #require(TimeOfDay(hour: hour, minute: minute, second: second))
    }

    @Test func `second 60 exists only as 23 59 60`() throws {
        #expect(TimeOfDay(hour: 12, minute: 59, second: 60) == nil)
        let leap = try time(23, 59, 60)
        #expect((leap.hour, leap.minute, leap.second) == (23, 59, 60))
        #expect(leap.isLeapSecond)
    }

    @Test(arguments: [(24, 0, 0), (0, 60, 0), (0, 0, 61), (-1, 0, 0)])
    func `times that do not exist are rejected`(hour: Int, minute: Int, second: Int) {
        #expect(TimeOfDay(hour: hour, minute: minute, second: second) == nil)
    }

    @Test func `differences are the shorter ones across midnight`() throws {
        #expect(try time(0, 0, 1).nanoseconds(since: time(23, 59, 59)) == 2_000_000_000)
        #expect(try time(23, 59, 59).nanoseconds(since: time(0, 0, 1)) == -2_000_000_000)
    }

    @Test func `a leap second lasts a second`() throws {
        #expect(try time(23, 59, 60).nanoseconds(since: time(23, 59, 59)) == 1_000_000_000)
        #expect(try time(0, 0, 0).nanoseconds(since: time(23, 59, 60)) == 1_000_000_000)
        #expect(try time(23, 59, 60).nanoseconds(since: time(0, 0, 0)) == -1_000_000_000)
    }
}

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
