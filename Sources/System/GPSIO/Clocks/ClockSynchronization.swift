// SPDX-License-Identifier: MIT
import CGPSSerial
import Glibc

/// Whether, and how accurately, the system's clock is synchronised to UTC.
package enum ClockSynchronization {
    /// The kernel's estimate of the clock's maximum error in seconds; `nil` if the clock is not
    /// synchronised.
    ///
    /// The corresponding C function is `adjtimex`.
    package static var maximumError: Double? {
        var state = timex()
        let result = adjtimex(&state)
        guard result >= 0, result != TIME_ERROR, state.status & STA_UNSYNC == 0 else { return nil }
        return Double(state.maxerror) / 1e6
    }
}
