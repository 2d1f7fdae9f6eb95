// SPDX-License-Identifier: MIT

/// Leap seconds: `NAV-TIMELS`.
public struct NavTIMELS: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x26)

    /// The known parts.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The present number is valid.
        public var hasCurrent: Bool { rawValue.hasBit(0) }
        /// The change is valid.
        public var hasChange: Bool { rawValue.hasBit(1) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The source of the current number; 0 is the firmware.
    public var currentSource: UInt8 = 0
    /// Seconds by which GPS time is ahead of UTC.
    public var current: Int8 = 0
    /// The source of the change.
    public var changeSource: UInt8 = 0
    /// -1, 0 or 1.
    public var change: Int8 = 0
    /// Seconds until the change; negative after it.
    public var secondsToChange: Int32 = 0
    /// The GPS week of the change.
    public var week: UInt16 = 0
    /// The day of the change, 1 to 7.
    public var day: UInt16 = 0
    /// The known parts.
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
