// SPDX-License-Identifier: MIT
import GNSS

/// The time scale of GPS, which has no leap seconds.
enum GPSTime {
    private static let second: Int64 = 1_000_000_000
    /// 6 January 1980, in seconds since 1 January 1970.
    private static let start: Int64 = 315_964_800
    private static let millisecondsPerWeek: Int64 = 604_800_000

    /// The ends of the leap seconds since 1980, in seconds since 1 January 1970: 1981 to 2017.
    private static let leapSeconds: [Int64] = [
        362_793_600, 394_329_600, 425_865_600, 489_024_000, 567_993_600, 631_152_000, 662_688_000,
        709_948_800, 741_484_800, 773_020_800, 820_454_400, 867_715_200, 915_148_800,
        1_136_073_600, 1_230_768_000, 1_341_100_800, 1_435_708_800, 1_483_228_800,
    ]

    /// Returns the seconds by which GPS is ahead of UTC, with another leap second at the end of
    /// `leapSecondDay`.
    static func leapSeconds(at time: UTCTime, leapSecondDay: CalendarDate?) -> Int64 {
        let seconds = time.unixNanoseconds / second
        let count = leapSeconds.count { $0 <= seconds }
        let isLater = leapSecondDay.map { time.date.daysSince1970 > $0.daysSince1970 } ?? false
        return Int64(count) + (isLater ? 1 : 0)
    }

    /// Returns the milliseconds since the start of the GPS week.
    static func timeOfWeek(of time: UTCTime, leapSeconds: Int64) -> UInt32 {
        // Times are between 1677 and 2262, so that these sums cannot overflow.
        let (quotient, remainder) = time.unixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let milliseconds =
            quotient + (remainder >= 500_000 ? 1 : 0) + (leapSeconds - start) * 1000
        let rest = milliseconds % millisecondsPerWeek
        return UInt32(rest < 0 ? rest + millisecondsPerWeek : rest)
    }
}
