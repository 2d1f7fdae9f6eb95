// SPDX-License-Identifier: MIT

/// An instant by two clocks: nothing here has a clock of its own.
package struct ClockReading: Hashable, Sendable {
    /// Nanoseconds of Unix time, by the system's clock.
    package var unix: Int64
    /// Nanoseconds of a clock that nobody sets.
    package var steady: Int64

    /// Makes an instant.
    package init(unix: Int64, steady: Int64) {
        self.unix = unix
        self.steady = steady
    }

    /// Seconds from `earlier` to this instant.
    func seconds(since earlier: ClockReading) -> Double {
        Double(steady &- earlier.steady) / 1e9
    }
}
