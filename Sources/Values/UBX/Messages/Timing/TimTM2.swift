// SPDX-License-Identifier: MIT

/// The time of an edge at an input: `TIM-TM2`.
public struct TimTM2: UBXMessage {
    public static let id = UBXMessageID(0x0D, 0x03)

    /// Flags for the input and the measured times.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the input is in running mode, rather than in single mode.
        public var isRunning: Bool { rawValue.hasBit(0) }
        /// Whether the measurement has been stopped.
        public var isStopped: Bool { rawValue.hasBit(1) }
        /// Whether a new falling edge was detected.
        public var hasFallingEdge: Bool { rawValue.hasBit(2) }
        /// The time base: 0 the receiver's clock, 1 a constellation, 2 UTC.
        public var timeBase: UInt8 { rawValue.bits(3...4) }
        /// Whether UTC is available.
        public var isUTCKnown: Bool { rawValue.hasBit(5) }
        /// Whether the time is valid.
        public var isTimeValid: Bool { rawValue.hasBit(6) }
        /// Whether a new rising edge was detected.
        public var hasRisingEdge: Bool { rawValue.hasBit(7) }
    }

    /// The number of the input (EXTINT).
    public var channel: UInt8 = 0
    /// Flags for the input and the measured times.
    public var flags = Flags(rawValue: 0)
    /// The number of rising edges so far.
    public var count: UInt16 = 0
    /// The week of the last rising edge.
    public var risingWeek: UInt16 = 0
    /// The week of the last falling edge.
    public var fallingWeek: UInt16 = 0
    /// The time of week of the last rising edge in milliseconds.
    public var risingMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `risingMilliseconds`.
    public var risingNanoseconds: UInt32 = 0
    /// The time of week of the last falling edge in milliseconds.
    public var fallingMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `fallingMilliseconds`.
    public var fallingNanoseconds: UInt32 = 0
    /// The accuracy of the times in nanoseconds.
    public var accuracy: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&channel)
        coder.value(&flags)
        coder.integer(&count)
        coder.integer(&risingWeek)
        coder.integer(&fallingWeek)
        coder.integer(&risingMilliseconds)
        coder.integer(&risingNanoseconds)
        coder.integer(&fallingMilliseconds)
        coder.integer(&fallingNanoseconds)
        coder.integer(&accuracy)
    }
}
