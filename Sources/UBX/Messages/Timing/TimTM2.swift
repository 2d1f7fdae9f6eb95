// SPDX-License-Identifier: MIT

/// Time of an edge at an input: `TIM-TM2`.
public struct TimTM2: UBXMessage {
    public static let id = UBXMessageID(0x0D, 0x03)

    /// State.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The mode is running, not single.
        public var isRunning: Bool { rawValue.hasBit(0) }
        /// It has been stopped.
        public var isStopped: Bool { rawValue.hasBit(1) }
        /// A new falling edge was seen.
        public var hasFallingEdge: Bool { rawValue.hasBit(2) }
        /// 0 the receiver's clock, 1 a constellation, 2 UTC.
        public var timeBase: UInt8 { rawValue.bits(3...4) }
        /// UTC is available.
        public var isUTCKnown: Bool { rawValue.hasBit(5) }
        /// The time is valid.
        public var isTimeValid: Bool { rawValue.hasBit(6) }
        /// A new rising edge was seen.
        public var hasRisingEdge: Bool { rawValue.hasBit(7) }
    }

    /// The input.
    public var channel: UInt8 = 0
    /// State.
    public var flags = Flags(rawValue: 0)
    /// Rising edges so far.
    public var count: UInt16 = 0
    /// The week of the last rising edge.
    public var risingWeek: UInt16 = 0
    /// The week of the last falling edge.
    public var fallingWeek: UInt16 = 0
    /// Its time of week in milliseconds.
    public var risingMilliseconds: UInt32 = 0
    /// Nanoseconds to add.
    public var risingNanoseconds: UInt32 = 0
    /// The falling edge's time of week in milliseconds.
    public var fallingMilliseconds: UInt32 = 0
    /// Nanoseconds to add.
    public var fallingNanoseconds: UInt32 = 0
    /// Nanoseconds.
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
