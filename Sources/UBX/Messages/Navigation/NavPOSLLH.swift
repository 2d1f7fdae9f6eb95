// SPDX-License-Identifier: MIT

/// Position, of generations 4 to 7: `NAV-POSLLH`.
public struct NavPOSLLH: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x02)

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Degrees.
    public var longitude: Double = 0
    /// Degrees.
    public var latitude: Double = 0
    /// Metres above the ellipsoid.
    public var ellipsoidalAltitude: Double = 0
    /// Metres above mean sea level.
    public var altitude: Double = 0
    /// Metres: the root of the summed variances of north and east; `nil` if it is unknown.
    public var horizontalAccuracy: Double?
    /// Metres, one sigma; `nil` if it is unknown.
    public var verticalAccuracy: Double?

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&longitude, Int32.self, per: 1e7)
        coder.scaled(&latitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, Int32.self, per: 1e3)
        coder.scaled(&altitude, Int32.self, per: 1e3)
        coder.scaled(&horizontalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&verticalAccuracy, UInt32.self, per: 1e3, absent: .max)
    }
}
