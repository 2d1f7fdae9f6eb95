// SPDX-License-Identifier: MIT

/// The position, from chips of generations 4 to 7: `NAV-POSLLH`.
public struct NavPOSLLH: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x02)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The longitude in degrees.
    public var longitude: Double = 0
    /// The latitude in degrees.
    public var latitude: Double = 0
    /// The altitude in metres above the ellipsoid.
    public var ellipsoidalAltitude: Double = 0
    /// The altitude in metres above mean sea level.
    public var altitude: Double = 0
    /// The horizontal accuracy in metres: the square root of the sum of the north and east
    /// variances; `nil` if it is unknown.
    public var horizontalAccuracy: Double?
    /// The one-sigma vertical accuracy in metres; `nil` if it is unknown.
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
