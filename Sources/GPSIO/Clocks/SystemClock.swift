// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// The system's clock, which may jump.
package enum SystemClock {
    /// The present instant; `nil` on a system whose clock is beyond all calendars.
    package static var now: UTCTime? { nanoseconds.flatMap(UTCTime.init(unixNanoseconds:)) }

    /// Nanoseconds of Unix time; `nil` where there are too many.
    package static var nanoseconds: Int64? { nanoseconds(CLOCK_REALTIME) }

    /// Nanoseconds of a clock that never jumps, and stands still while the machine sleeps.
    package static var steadyNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) ?? 0 }

    /// The corresponding C function is `clock_gettime`.
    private static func nanoseconds(_ clock: clockid_t) -> Int64? {
        var time = timespec()
        clock_gettime(clock, &time)
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, isBeyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isBeyond ? nil : sum
    }
}
