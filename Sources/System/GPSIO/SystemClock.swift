// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc

/// Reads the system's clocks: the real-time clock, which may jump, and the monotonic clock.
package enum SystemClock {
    /// The current time; `nil` if the clock is set to a date that `UTCTime` cannot represent.
    package static var now: UTCTime? { nanoseconds.flatMap(UTCTime.init(unixNanoseconds:)) }

    /// The current Unix time in nanoseconds; `nil` if it does not fit in 64 bits.
    ///
    /// The corresponding C function is `clock_gettime`.
    package static var nanoseconds: Int64? {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, isBeyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isBeyond ? nil : sum
    }
}

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
