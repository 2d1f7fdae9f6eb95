// SPDX-License-Identifier: MIT
import Glibc

/// An instant of a monotonic clock that also runs while the machine sleeps, like
/// `ContinuousClock.Instant`.
///
/// It is stored in one word. A `ContinuousClock.Instant`, and any type that contains one, is copied
/// through runtime metadata, which would take a tenth of the processing time of an epoch.
///
/// The corresponding C function is `clock_gettime` with `CLOCK_BOOTTIME`.
public struct MonotonicInstant: InstantProtocol {
    /// The number of nanoseconds since the machine was started.
    package let nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current instant.
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the instant that is later by a duration. The result is limited to the range of
    /// nanoseconds in an `Int64`.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        advanced(byNanoseconds: duration.clampedNanoseconds)
    }

    /// Returns the duration from this instant to another.
    public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns the instant that is `count` nanoseconds later. Unlike `advanced(by:)`, this method
    /// avoids the 128-bit arithmetic of `Duration`.
    package func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicInstant(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// Returns the number of seconds since another instant.
    public func seconds(since other: MonotonicInstant) -> Double {
        let (difference, isBeyond) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        guard isBeyond else { return Double(difference) / 1e9 }
        return (Double(nanoseconds) - Double(other.nanoseconds)) / 1e9
    }

    /// Returns the instant that is later by a duration.
    public static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: duration)
    }

    /// Returns the instant that is earlier by a duration.
    public static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: .zero - duration)
    }

    /// Returns the duration from `b` to `a`.
    public static func - (a: MonotonicInstant, b: MonotonicInstant) -> Duration {
        b.duration(to: a)
    }

    /// Returns whether `a` is before `b`.
    public static func < (a: MonotonicInstant, b: MonotonicInstant) -> Bool {
        a.nanoseconds < b.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, limited to the range of `Int64`.
    fileprivate var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || isTooLong ? (seconds < 0 ? .min : .max) : sum
    }
}
