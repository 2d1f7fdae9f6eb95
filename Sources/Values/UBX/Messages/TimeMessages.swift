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
