// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// The system's clock, which may jump.
package enum SystemClock {
    /// The current time; `nil` if the clock is outside the supported calendar.
    package static var now: UTCTime? { nanoseconds.flatMap(UTCTime.init(unixNanoseconds:)) }

    /// The Unix time in nanoseconds; `nil` on overflow.
    package static var nanoseconds: Int64? { nanoseconds(CLOCK_REALTIME) }

    /// Nanoseconds of the monotonic clock, which never jumps and stops during a suspend.
    package static var steadyNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) ?? 0 }

    /// Reads a clock. The corresponding C function is `clock_gettime`.
    private static func nanoseconds(_ clock: clockid_t) -> Int64? {
        var time = timespec()
        clock_gettime(clock, &time)
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, isBeyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isBeyond ? nil : sum
    }
}
