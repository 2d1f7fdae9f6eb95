// SPDX-License-Identifier: MIT

/// A reading of two clocks. Code that needs the time gets it as a parameter.
package struct ClockReading: Hashable, Sendable {
    /// The system's clock, in nanoseconds of Unix time.
    package var unix: Int64
    /// A monotonic clock, in nanoseconds.
    package var steady: Int64

    /// Creates a reading.
    package init(unix: Int64, steady: Int64) {
        self.unix = unix
        self.steady = steady
    }

    /// Returns the seconds from `earlier` to this reading, according to the monotonic clock.
    func seconds(since earlier: ClockReading) -> Double {
        Double(steady &- earlier.steady) / 1e9
    }
}
