// SPDX-License-Identifier: MIT

/// A receiver's own clock, as its solution found it.
///
/// The receiver compares its oscillator with the satellites in every epoch. Its rate changes slowly with
/// the temperature; a sudden change shows that the signals changed.
public struct ReceiverClock: Hashable, Sendable, Codable {
    /// Nanoseconds between the oscillator's ticks and the satellites' time, modulo one millisecond.
    public var bias: Int32?

    /// Nanoseconds per second by which the oscillator gains or loses.
    public var drift: Int32?

    /// Creates a clock.
    public init(bias: Int32? = nil, drift: Int32? = nil) {
        self.bias = bias
        self.drift = drift
    }
}
