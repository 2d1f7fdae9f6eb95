// SPDX-License-Identifier: MIT

/// Clock of the receiver: `NAV-CLOCK`.
public struct NavCLOCK: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x22)

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Nanoseconds.
    public var bias: Int32 = 0
    /// Nanoseconds per second.
    public var drift: Int32 = 0
    /// Nanoseconds.
    public var timeAccuracy: UInt32 = 0
    /// Picoseconds per second.
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
