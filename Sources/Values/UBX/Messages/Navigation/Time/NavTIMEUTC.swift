// SPDX-License-Identifier: MIT

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
