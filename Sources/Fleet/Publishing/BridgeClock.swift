// SPDX-License-Identifier: MIT
import Glibc

/// The clock of this machine, which may be wrong.
package enum BridgeClock {
    /// Milliseconds of Unix time.
    ///
    /// The corresponding C function is `clock_gettime`.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
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
