// SPDX-License-Identifier: MIT

/// GPS time: `NAV-TIMEGPS`.
public struct NavTIMEGPS: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x20)

    /// The known parts of the time.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(0) }
        /// The week is valid.
        public var hasWeek: Bool { rawValue.hasBit(1) }
        /// The leap seconds are valid.
        public var hasLeapSeconds: Bool { rawValue.hasBit(2) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Nanoseconds to add to the time of week.
    public var nanoseconds: Int32 = 0
    /// Weeks since 6 January 1980.
    public var week: Int16 = 0
    /// Seconds by which GPS time is ahead of UTC.
    public var leapSeconds: Int8 = 0
    /// The known parts.
    public var validity = Validity(rawValue: 0)
    /// Seconds.
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
