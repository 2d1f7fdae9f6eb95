// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// This machine's clock. It may be wrong, for example before NTP has set it.
package enum BridgeClock {
    /// The current time in milliseconds of Unix time; 0 if the clock is out of range.
    package static var now: Int64 { (SystemClock.nanoseconds ?? 0) / 1_000_000 }
}

/// The name of a run of the bridge, from its start to its end.
package enum Boot {
    /// Returns a new random name: 12 hexadecimal digits.
    package static func newName() -> String {
        String(hexadecimal: .random(in: 0..<1 << 48), width: 12)
    }
}
