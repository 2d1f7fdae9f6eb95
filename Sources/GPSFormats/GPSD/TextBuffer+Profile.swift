// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Appends the known members of an epoch that gpsprof uses.
    mutating func append(profileOf fix: Fix, byteCount: Int) {
        append(#","chars":"#, byteCount)
        append(#","sats":"#, fix.satellitesUsed)
        guard let time = fix.time.flatMap({ GPSWeekTime($0) }) else { return }
        append(#","week":"#, time.week)
        append(#","tow":"#)
        append(fixed: time.seconds, decimals: 3)
    }
}

/// A time in GPS weeks, which has no leap seconds.
struct GPSWeekTime {
    /// 6 January 1980 and 1 January 2017, in nanoseconds since 1970.
    private static let epoch: Int64 = 315_964_800_000_000_000
    private static let lastLeapSecond: Int64 = 1_483_228_800_000_000_000
    /// The leap seconds since 1980, in nanoseconds; valid after the last one.
    private static let leapSeconds: Int64 = 18_000_000_000
    private static let weekLength: Int64 = 604_800_000_000_000

    /// The number of weeks since 6 January 1980.
    let week: Int
    /// The seconds since the week began.
    let seconds: Double

    /// Converts a time; `nil` for times before the last leap second.
    init?(_ time: UTCTime) {
        guard time.unixNanoseconds >= Self.lastLeapSecond else { return nil }
        let count = time.unixNanoseconds - Self.epoch
        let (elapsed, isOver) = count.addingReportingOverflow(Self.leapSeconds)
        guard !isOver else { return nil }
        week = Int(elapsed / Self.weekLength)
        seconds = Double(elapsed % Self.weekLength) / 1e9
    }
}
