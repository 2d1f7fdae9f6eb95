// SPDX-License-Identifier: MIT

/// The time of the next time pulse: `TIM-TP`.
public struct TimTP: UBXMessage {
    public static let id = UBXMessageID(0x0D, 0x01)

    /// Status flags of the time pulse.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the time is UTC rather than the time of a constellation.
        public var isUTC: Bool { rawValue.hasBit(0) }
        /// Whether UTC is available.
        public var isUTCKnown: Bool { rawValue.hasBit(1) }
        /// The state of integrity monitoring (RAIM): 0 unknown, 1 not active, 2 active.
        public var integrity: UInt8 { rawValue.bits(2...3) }
        /// Whether the quantization error is invalid.
        public var isErrorInvalid: Bool { rawValue.hasBit(4) }
        /// Whether the pulse is not yet aligned to the time system.
        public var isNotLocked: Bool { rawValue.hasBit(5) }
    }

    /// The time system of the pulse.
    public struct Reference: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The constellation: 0 GPS, 1 GLONASS, 2 BeiDou, 3 Galileo, 4 NavIC, 15 unknown.
        public var constellation: UInt8 { rawValue.bits(0...3) }
        /// The UTC standard, as a number defined by u-blox.
        public var standard: UInt8 { rawValue.bits(4...7) }
    }

    /// The time of week of the pulse in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The fraction to add to `timeOfWeekMilliseconds`, in units of 2⁻³² ms.
    public var submilliseconds: UInt32 = 0
    /// The quantization error of the pulse in picoseconds.
    public var quantizationError: Int32 = 0
    /// The week of the pulse.
    public var week: UInt16 = 0
    /// Status flags of the time pulse.
    public var flags = Flags(rawValue: 0)
    /// The time system of the pulse.
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
