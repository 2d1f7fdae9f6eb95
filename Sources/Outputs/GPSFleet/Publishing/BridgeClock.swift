// SPDX-License-Identifier: MIT
import GPSIO

/// This machine's clock. It may be wrong, for example before NTP has set it.
package enum BridgeClock {
    /// The current time in milliseconds of Unix time; 0 if the clock is out of range.
    package static var now: Int64 { (SystemClock.nanoseconds ?? 0) / 1_000_000 }
    /// The current day as a number of days since 1970, in UTC.
    package static var today: Int { Int(now / 86_400_000) }
}
