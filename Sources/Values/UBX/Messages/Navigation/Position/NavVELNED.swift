// SPDX-License-Identifier: MIT

/// The velocity, from chips of generations 4 to 7: `NAV-VELNED`.
public struct NavVELNED: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x12)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The velocity to the north in metres per second.
    public var velocityNorth: Double = 0
    /// The velocity to the east in metres per second.
    public var velocityEast: Double = 0
    /// The downward velocity in metres per second.
    public var velocityDown: Double = 0
    /// The speed in metres per second, in three dimensions.
    public var speed: Double = 0
    /// The speed over ground in metres per second.
    public var groundSpeed: Double = 0
    /// The course over ground in degrees from true north.
    public var course: Double = 0
    /// The one-sigma accuracy of the speed in metres per second.
    public var speedAccuracy: Double = 0
    /// The one-sigma accuracy of the course in degrees.
    public var courseAccuracy: Double = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&velocityNorth, Int32.self, per: 100)
        coder.scaled(&velocityEast, Int32.self, per: 100)
        coder.scaled(&velocityDown, Int32.self, per: 100)
        coder.scaled(&speed, UInt32.self, per: 100)
        coder.scaled(&groundSpeed, UInt32.self, per: 100)
        coder.scaled(&course, Int32.self, per: 1e5)
        coder.scaled(&speedAccuracy, UInt32.self, per: 100)
        coder.scaled(&courseAccuracy, UInt32.self, per: 1e5)
    }
}
