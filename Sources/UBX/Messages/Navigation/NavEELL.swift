// SPDX-License-Identifier: MIT

/// Error ellipse of the position, 95 %: `NAV-EELL`.
public struct NavEELL: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x3D)

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// Degrees from true north of the major axis.
    public var orientation: Double = 0
    /// Metres.
    public var semiMajor: Double = 0
    /// Metres.
    public var semiMinor: Double = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&version)
        coder.reserved(1)
        coder.scaled(&orientation, UInt16.self, per: 100)
        coder.scaled(&semiMajor, UInt32.self, per: 1e3)
        coder.scaled(&semiMinor, UInt32.self, per: 1e3)
    }
}
