// SPDX-License-Identifier: MIT

/// UTC: `NAV-TIMEUTC`.
public struct NavTIMEUTC: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x21)

    /// The known parts of the time.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(0) }
        /// The week is valid.
        public var hasWeek: Bool { rawValue.hasBit(1) }
        /// UTC is valid: the leap seconds are known.
        public var isUTC: Bool { rawValue.hasBit(2) }
        /// Whose UTC.
        public var standard: UInt8 { rawValue.bits(4...7) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Seconds.
    public var timeAccuracy: Double = 0
    /// Nanoseconds to add to the second.
    public var nanoseconds: Int32 = 0
    /// UTC.
    public var year: UInt16 = 0
    /// 1 to 12.
    public var month: UInt8 = 0
    /// 1 to 31.
    public var day: UInt8 = 0
    /// 0 to 23.
    public var hour: UInt8 = 0
    /// 0 to 59.
    public var minute: UInt8 = 0
    /// 0 to 60, rounded.
    public var second: UInt8 = 0
    /// The known parts.
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
