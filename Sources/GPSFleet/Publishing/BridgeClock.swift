// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// The clock of this machine, which may be wrong, for example before NTP has set it.
package enum BridgeClock {
    /// Milliseconds of Unix time; 0 if the clock is out of range.
    package static var now: Int64 { (SystemClock.nanoseconds ?? 0) / 1_000_000 }
}

/// A run of the bridge.
package enum Boot {
    /// Returns a random name: 12 hexadecimal digits.
    package static func newName() -> String {
        String(hexadecimal: .random(in: 0..<1 << 48), width: 12)
    }
}
