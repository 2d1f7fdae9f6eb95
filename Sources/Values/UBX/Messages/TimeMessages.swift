// SPDX-License-Identifier: MIT

/// The state of the receiver's clock: `NAV-CLOCK`.
package struct NavCLOCK: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x22)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The offset of the receiver's clock in nanoseconds.
    package var bias: Int32 = 0
    /// The drift of the receiver's clock in nanoseconds per second.
    package var drift: Int32 = 0
    /// The accuracy of the time in nanoseconds.
    private var timeAccuracy: UInt32 = 0
    /// The accuracy of the clock's frequency in picoseconds per second.
    private var frequencyAccuracy: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &bias, &drift)
        coder.integers(&timeAccuracy, &frequencyAccuracy)
    }
}

/// The GPS time: `NAV-TIMEGPS`.
package struct NavTIMEGPS: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x20)

    /// Flags for the parts of the time that are known.
    package struct Validity: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package var hasTimeOfWeek: Bool { rawValue.hasBit(0) }
        package var hasWeek: Bool { rawValue.hasBit(1) }
        package var hasLeapSeconds: Bool { rawValue.hasBit(2) }
    }

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `timeOfWeekMilliseconds`.
    package var nanoseconds: Int32 = 0
    /// The number of weeks since 6 January 1980.
    package var week: Int16 = 0
    /// The difference between GPS time and UTC in seconds.
    package var leapSeconds: Int8 = 0
    package var validity = Validity(rawValue: 0)
    /// The accuracy of the time in seconds.
    private var timeAccuracy: Double = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &nanoseconds, &week, &leapSeconds)
        coder.value(&validity)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
    }
}

/// Galileo's time: `NAV-TIMEGAL`.
package struct NavTIMEGAL: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x25)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// Galileo's time of week in seconds.
    package var timeOfWeek: UInt32 = 0
    /// The nanoseconds to add to `timeOfWeek`.
    private var nanoseconds: Int32 = 0
    /// The number of weeks since 22 August 1999.
    package var week: Int16 = 0
    /// The difference between Galileo's time and UTC in seconds.
    private var leapSeconds: Int8 = 0
    /// Bit 0 is set if the time of week is valid, bit 1 if the week is.
    package var validity: UInt8 = 0
    /// The accuracy of the time in nanoseconds.
    private var timeAccuracy: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &timeOfWeek, &nanoseconds, &week)
        coder.integers(&leapSeconds, &validity, &timeAccuracy)
    }
}

/// The leap seconds: `NAV-TIMELS`.
package struct NavTIMELS: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x26)

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var version: UInt8 = 0
    /// The source of the current number of leap seconds; 0 means the default of the firmware.
    private var currentSource: UInt8 = 0
    /// The current difference between GPS time and UTC in seconds.
    private var current: Int8 = 0
    /// The source of the announced change, as a number defined by u-blox.
    private var changeSource: UInt8 = 0
    /// The announced change of the leap seconds: -1, 0 (none) or 1.
    package var change: Int8 = 0
    /// The time until the change in seconds; negative after the change.
    private var secondsToChange: Int32 = 0
    /// The GPS week of the change.
    package var week: UInt16 = 0
    /// The day of the week of the change, 1 (Sunday) to 7.
    package var day: UInt16 = 0
    /// Bit 0 is set if the current number of leap seconds is valid, bit 1 if the change is.
    package var validity: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &version)
        coder.reserved(3)
        coder.integers(&currentSource, &current, &changeSource, &change)
        coder.integers(&secondsToChange, &week, &day)
        coder.reserved(3)
        coder.integer(&validity)
    }
}

/// The UTC time: `NAV-TIMEUTC`.
package struct NavTIMEUTC: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x21)

    /// Flags for the parts of the time that are known.
    package struct Validity: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package var hasTimeOfWeek: Bool { rawValue.hasBit(0) }
        package var hasWeek: Bool { rawValue.hasBit(1) }
        /// Whether the UTC time is valid. This requires that the leap seconds are known.
        package var isUTC: Bool { rawValue.hasBit(2) }
    }

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The accuracy of the time in seconds.
    package var timeAccuracy: Double = 0
    /// The nanoseconds to add to `second`.
    package var nanoseconds: Int32 = 0
    package var year: UInt16 = 0
    /// The UTC month, 1 to 12.
    package var month: UInt8 = 0
    /// The UTC day of the month, 1 to 31.
    package var day: UInt8 = 0
    /// The UTC hour, 0 to 23.
    package var hour: UInt8 = 0
    /// The UTC minute, 0 to 59.
    package var minute: UInt8 = 0
    /// The UTC second, rounded, 0 to 60.
    package var second: UInt8 = 0
    package var validity = Validity(rawValue: 0)

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
        coder.integers(&nanoseconds, &year, &month, &day)
        coder.integers(&hour, &minute, &second)
        coder.value(&validity)
    }
}

/// The time of an edge at an input: `TIM-TM2`.
package struct TimTM2: UBXMessage {
    package static let id = UBXMessageID(0x0D, 0x03)

    /// The number of the input (EXTINT).
    private var channel: UInt8 = 0
    /// Flags for the input and the measured times.
    package var flags: UInt8 = 0
    /// The number of rising edges so far.
    package var count: UInt16 = 0
    /// The week of the last rising edge.
    private var risingWeek: UInt16 = 0
    /// The week of the last falling edge.
    private var fallingWeek: UInt16 = 0
    /// The time of week of the last rising edge in milliseconds.
    private var risingMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `risingMilliseconds`.
    private var risingNanoseconds: UInt32 = 0
    /// The time of week of the last falling edge in milliseconds.
    private var fallingMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `fallingMilliseconds`.
    private var fallingNanoseconds: UInt32 = 0
    /// The accuracy of the times in nanoseconds.
    package var accuracy: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&channel, &flags)
        coder.integers(&count, &risingWeek, &fallingWeek, &risingMilliseconds)
        coder.integers(&risingNanoseconds, &fallingMilliseconds, &fallingNanoseconds, &accuracy)
    }
}

/// The time of the next time pulse: `TIM-TP`.
package struct TimTP: UBXMessage {
    package static let id = UBXMessageID(0x0D, 0x01)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The fraction to add to `timeOfWeekMilliseconds`, in units of 2⁻³² ms.
    private var submilliseconds: UInt32 = 0
    /// The quantization error of the pulse in picoseconds.
    package var quantizationError: Int32 = 0
    package var week: UInt16 = 0
    /// Status flags of the time pulse.
    package var flags: UInt8 = 0
    /// The time system of the pulse.
    private var reference: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &submilliseconds, &quantizationError, &week)
        coder.integers(&flags, &reference)
    }

    /// Whether `timeOfWeekMilliseconds` is UTC instead of the time of a constellation.
    package var isUTC: Bool { flags & 1 != 0 }

    /// The time from the next pulse to the second that it marks, in picoseconds; `nil` if the
    /// receiver does not know it, or if no receiver's clock is that coarse.
    package var pulseError: Int? {
        flags & 0x10 == 0 && quantizationError.magnitude <= 100_000 ? Int(quantizationError) : nil
    }
}
