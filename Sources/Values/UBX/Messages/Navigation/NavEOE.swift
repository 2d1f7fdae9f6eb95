// SPDX-License-Identifier: MIT

/// Marks the end of an epoch: `NAV-EOE`. It is sent after all other navigation messages and
/// sentences of the epoch.
public struct NavEOE: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x61)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
    }
}
