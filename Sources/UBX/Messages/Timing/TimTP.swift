// SPDX-License-Identifier: MIT

/// The next time pulse: `TIM-TP`.
public struct TimTP: UBXMessage {
    public static let id = UBXMessageID(0x0D, 0x01)

    /// State.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The time is UTC, not that of a constellation.
        public var isUTC: Bool { rawValue.hasBit(0) }
        /// UTC is available.
        public var isUTCKnown: Bool { rawValue.hasBit(1) }
        /// Integrity: 0 unknown, 1 not active, 2 active.
        public var integrity: UInt8 { rawValue.bits(2...3) }
        /// The quantization error is not valid.
        public var isErrorInvalid: Bool { rawValue.hasBit(4) }
        /// The pulse is not locked to the time.
        public var isNotLocked: Bool { rawValue.hasBit(5) }
    }

    /// The current time.
    public struct Reference: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// 0 GPS, 1 GLONASS, 2 BeiDou, 3 Galileo, 4 NavIC, 15 unknown.
        public var constellation: UInt8 { rawValue.bits(0...3) }
        /// Whose UTC.
        public var standard: UInt8 { rawValue.bits(4...7) }
    }

    /// Time of week of the pulse in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// 2⁻³² milliseconds to add.
    public var submilliseconds: UInt32 = 0
    /// Picoseconds.
    public var quantizationError: Int32 = 0
    /// The week of the pulse.
    public var week: UInt16 = 0
    /// State.
    public var flags = Flags(rawValue: 0)
    /// The current time.
    public var reference = Reference(rawValue: 0)

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&submilliseconds)
        coder.integer(&quantizationError)
        coder.integer(&week)
        coder.value(&flags)
        coder.value(&reference)
    }
}
