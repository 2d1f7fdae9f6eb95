// SPDX-License-Identifier: MIT

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
