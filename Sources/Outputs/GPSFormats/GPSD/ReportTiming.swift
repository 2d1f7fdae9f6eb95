// SPDX-License-Identifier: MIT
import GNSS

/// The times at which a fix arrived and was reported, according to the system clock.
public struct ReportTiming: Hashable, Sendable {
    /// The arrival of the epoch's first byte, in seconds of Unix time.
    public var firstByte: Double
    /// The time of the report, in seconds of Unix time.
    public var reported: Double

    /// The size of the epoch's data in bytes. If it is set, the report also contains the members
    /// for gpsprof: the size, the satellites used, the GPS week and the time of week. A fix
    /// without a time then has no timing, because gpsprof requires the time. Default: `nil`.
    public var byteCount: Int?

    /// Creates a timing.
    public init(firstByte: Double, reported: Double) {
        self.firstByte = firstByte
        self.reported = reported
    }
}

extension TextBuffer {
    /// Appends the members of a `TPV` that gpsprof uses. An unknown number of satellites is 0, as
    /// in gpsd; other unknown values are omitted.
    mutating func append(profileOf fix: Fix, byteCount: Int) {
        append(#","chars":"#, byteCount)
        append(#","sats":"#, fix.satellitesUsed ?? 0)
        guard let time = fix.time.flatMap({ GPSTime($0) }) else { return }
        append(#","week":"#, time.week)
        append(#","tow":"#)
        append(fixed: Double(time.nanoseconds) / 1e9, decimals: 3)
    }
}
