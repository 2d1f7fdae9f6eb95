// SPDX-License-Identifier: MIT
import Glibc

/// An instant of the clock that never goes back and counts the time that the machine sleeps, as
/// `ContinuousClock.Instant` is.
///
/// It is one word. How to copy a `ContinuousClock.Instant`, and whatever contains one, is looked up in the
/// runtime each time, which was a tenth of what is done for an epoch.
///
/// The corresponding C function is `clock_gettime` with `CLOCK_BOOTTIME`.
public struct MonotonicInstant: InstantProtocol {
    /// Nanoseconds since the machine was started.
    private var nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present instant.
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The instant so much later; the last one that can be told where it is beyond that.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        advanced(byNanoseconds: duration.clampedNanoseconds)
    }

    /// How much later the other instant is.
    public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// The instant so many nanoseconds later, without the detour over 128 bits that a `Duration` takes.
    package func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicInstant(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// How many seconds later it is than another one.
    public func seconds(since other: MonotonicInstant) -> Double {
        let (difference, isBeyond) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        guard isBeyond else { return Double(difference) / 1e9 }
        return (Double(nanoseconds) - Double(other.nanoseconds)) / 1e9
    }

    /// The instant so much later.
    public static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: duration)
    }

    /// The instant so much earlier.
    public static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: .zero - duration)
    }

    /// How much later the first instant is.
    public static func - (a: MonotonicInstant, b: MonotonicInstant) -> Duration {
        b.duration(to: a)
    }

    /// Whether one instant is before the other.
    public static func < (a: MonotonicInstant, b: MonotonicInstant) -> Bool {
        a.nanoseconds < b.nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds, as far as an `Int64` goes.
    fileprivate var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || isTooLong ? (seconds < 0 ? .min : .max) : sum
    }
}
