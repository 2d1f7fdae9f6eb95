// SPDX-License-Identifier: MIT
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
        let number = UInt64.random(in: 0..<1 << 48)
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }
}
