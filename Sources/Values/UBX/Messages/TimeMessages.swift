// SPDX-License-Identifier: MIT

/// The state of the receiver's clock: `NAV-CLOCK`.
public struct NavCLOCK: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x22)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The offset of the receiver's clock in nanoseconds.
    public var bias: Int32 = 0
    /// The drift of the receiver's clock in nanoseconds per second.
    public var drift: Int32 = 0
    /// The accuracy of the time in nanoseconds.
    public var timeAccuracy: UInt32 = 0
    /// The accuracy of the clock's frequency in picoseconds per second.
    public var frequencyAccuracy: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&bias)
        coder.integer(&drift)
        coder.integer(&timeAccuracy)
        coder.integer(&frequencyAccuracy)
    }
}

/// The GPS time: `NAV-TIMEGPS`.
public struct NavTIMEGPS: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x20)

    /// Flags for the parts of the time that are known.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(0) }
        /// Whether the GPS week is valid.
        public var hasWeek: Bool { rawValue.hasBit(1) }
        /// Whether the leap seconds are valid.
        public var hasLeapSeconds: Bool { rawValue.hasBit(2) }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `timeOfWeekMilliseconds`.
    public var nanoseconds: Int32 = 0
    /// The number of weeks since 6 January 1980.
    public var week: Int16 = 0
    /// The difference between GPS time and UTC in seconds.
    public var leapSeconds: Int8 = 0
    /// Which of the other fields are valid.
    public var validity = Validity(rawValue: 0)
    /// The accuracy of the time in seconds.
    public var timeAccuracy: Double = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&nanoseconds)
        coder.integer(&week)
        coder.integer(&leapSeconds)
        coder.value(&validity)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
    }
}

/// The leap seconds: `NAV-TIMELS`.
public struct NavTIMELS: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x26)

    /// Which of the other fields are valid.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the current number of leap seconds is valid.
        public var hasCurrent: Bool { rawValue.hasBit(0) }
        /// Whether the announced change is valid.
        public var hasChange: Bool { rawValue.hasBit(1) }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The source of the current number of leap seconds; 0 means the default of the firmware.
    public var currentSource: UInt8 = 0
    /// The current difference between GPS time and UTC in seconds.
    public var current: Int8 = 0
    /// The source of the announced change, as a number defined by u-blox.
    public var changeSource: UInt8 = 0
    /// The announced change of the leap seconds: -1, 0 (none) or 1.
    public var change: Int8 = 0
    /// The time until the change in seconds; negative after the change.
    public var secondsToChange: Int32 = 0
    /// The GPS week of the change.
    public var week: UInt16 = 0
    /// The day of the week of the change, 1 (Sunday) to 7.
    public var day: UInt16 = 0
    /// Which of the other fields are valid.
    public var validity = Validity(rawValue: 0)

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&version)
        coder.reserved(3)
        coder.integer(&currentSource)
        coder.integer(&current)
        coder.integer(&changeSource)
        coder.integer(&change)
        coder.integer(&secondsToChange)
        coder.integer(&week)
        coder.integer(&day)
        coder.reserved(3)
        coder.value(&validity)
    }
}

/// The UTC time: `NAV-TIMEUTC`.
public struct NavTIMEUTC: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x21)

    /// Flags for the parts of the time that are known.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(0) }
        /// Whether the GPS week is valid.
        public var hasWeek: Bool { rawValue.hasBit(1) }
        /// Whether the UTC time is valid. This requires that the leap seconds are known.
        public var isUTC: Bool { rawValue.hasBit(2) }
        /// The UTC standard, as a number defined by u-blox.
        public var standard: UInt8 { rawValue.bits(4...7) }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The accuracy of the time in seconds.
    public var timeAccuracy: Double = 0
    /// The nanoseconds to add to `second`.
    public var nanoseconds: Int32 = 0
    /// The UTC year.
    public var year: UInt16 = 0
    /// The UTC month, 1 to 12.
    public var month: UInt8 = 0
    /// The UTC day of the month, 1 to 31.
    public var day: UInt8 = 0
    /// The UTC hour, 0 to 23.
    public var hour: UInt8 = 0
    /// The UTC minute, 0 to 59.
    public var minute: UInt8 = 0
    /// The UTC second, rounded, 0 to 60.
    public var second: UInt8 = 0
    /// Which of the other fields are valid.
    public var validity = Validity(rawValue: 0)

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
        coder.integer(&nanoseconds)
        coder.integer(&year)
        coder.integer(&month)
        coder.integer(&day)
        coder.integer(&hour)
        coder.integer(&minute)
        coder.integer(&second)
        coder.value(&validity)
    }
}

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
