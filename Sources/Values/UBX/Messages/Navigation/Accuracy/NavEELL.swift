// SPDX-License-Identifier: MIT

/// The 95 % error ellipse of the position: `NAV-EELL`.
public struct NavEELL: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x3D)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The direction of the error ellipse's major axis in degrees from true north.
    public var orientation: Double = 0
    /// The semi-major axis of the error ellipse in metres.
    public var semiMajor: Double = 0
    /// The semi-minor axis of the error ellipse in metres.
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
