// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Appends the members of a `TPV` that gpsprof uses; unknown values are omitted.
    mutating func append(profileOf fix: Fix, byteCount: Int) {
        append(#","chars":"#, byteCount)
        append(#","sats":"#, fix.satellitesUsed)
        guard let time = fix.time.flatMap({ GPSTime($0) }) else { return }
        append(#","week":"#, time.week)
        append(#","tow":"#)
        append(fixed: Double(time.nanoseconds) / 1e9, decimals: 3)
    }
}
