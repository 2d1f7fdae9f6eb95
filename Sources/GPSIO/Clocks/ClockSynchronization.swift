// SPDX-License-Identifier: MIT
import CGPSSerial
import Glibc

/// The synchronisation of the system's clock.
package enum ClockSynchronization {
    /// The maximum error of the clock in seconds; `nil` if it is not synchronised.
    ///
    /// The corresponding C function is `adjtimex`.
    package static var maximumError: Double? {
        var state = timex()
        let result = adjtimex(&state)
        guard result >= 0, result != TIME_ERROR, state.status & STA_UNSYNC == 0 else { return nil }
        return Double(state.maxerror) / 1e6
    }
}
