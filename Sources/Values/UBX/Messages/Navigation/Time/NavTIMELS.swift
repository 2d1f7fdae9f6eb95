// SPDX-License-Identifier: MIT

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
