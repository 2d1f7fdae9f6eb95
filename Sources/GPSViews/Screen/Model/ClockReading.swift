// SPDX-License-Identifier: MIT

/// An instant by two clocks. Code that needs the time receives it as a parameter.
package struct ClockReading: Hashable, Sendable {
    /// Nanoseconds of Unix time, by the system's clock.
    package var unix: Int64
    /// Nanoseconds of a monotonic clock.
    package var steady: Int64

    /// Creates an instant.
    package init(unix: Int64, steady: Int64) {
        self.unix = unix
        self.steady = steady
    }

    /// Seconds from `earlier` to this instant.
    func seconds(since earlier: ClockReading) -> Double {
        Double(steady &- earlier.steady) / 1e9
    }
}
