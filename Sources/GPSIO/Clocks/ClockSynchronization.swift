// SPDX-License-Identifier: MIT
import CGPSSerial
import Glibc

/// Whether the system's clock is synchronised to others.
package enum ClockSynchronization {
    /// By how many seconds the clock may be off at the most; `nil` where it is not synchronised.
    ///
    /// The corresponding C function is `adjtimex`.
    package static var maximumError: Double? {
        var state = timex()
        let result = adjtimex(&state)
        guard result >= 0, result != TIME_ERROR, state.status & STA_UNSYNC == 0 else { return nil }
        return Double(state.maxerror) / 1e6
    }
}
