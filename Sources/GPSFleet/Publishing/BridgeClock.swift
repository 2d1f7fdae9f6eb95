// SPDX-License-Identifier: MIT
import GPSIO

/// This machine's clock. It may be wrong, for example before NTP has set it.
package enum BridgeClock {
    /// The current time in milliseconds of Unix time; 0 if the clock is out of range.
    package static var now: Int64 { (SystemClock.nanoseconds ?? 0) / 1_000_000 }
}
