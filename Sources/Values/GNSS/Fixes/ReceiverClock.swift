// SPDX-License-Identifier: MIT

/// The state of a receiver's own clock, as computed with its position.
///
/// The receiver compares its oscillator with the satellites' time in every epoch. The rate of the
/// oscillator changes slowly with the temperature. A sudden change indicates that the signals come
/// from another source.
public struct ReceiverClock: Hashable, Sendable, Codable {
    /// The clock's offset from the satellites' time in nanoseconds, modulo one millisecond.
    public var bias: Int32?

    /// The signed rate error of the clock, in nanoseconds per second.
    public var drift: Int32?

    /// Creates a clock state. Omitted values are unknown.
    public init(bias: Int32? = nil, drift: Int32? = nil) {
        self.bias = bias
        self.drift = drift
    }
}
