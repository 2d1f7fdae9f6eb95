// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// The clock of this machine, which may be wrong.
package enum BridgeClock {
    /// Milliseconds of Unix time; 0 where there are too many.
    package static var now: Int64 { (SystemClock.nanoseconds ?? 0) / 1_000_000 }
}

/// A run of the bridge.
package enum Boot {
    /// A word that no other run has: 12 hexadecimal digits.
    package static func newName() -> String {
        String(hexadecimal: .random(in: 0..<1 << 48), width: 12)
    }
}
