// SPDX-License-Identifier: MIT
public import GNSS

/// Where the antenna truly is and how it moves.
public struct TrueState: Hashable, Sendable {
    /// WGS 84.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Metres per second over ground.
    public var speed: Double
    /// Degrees true over ground, 0 up to 360; `nil` when standing still.
    public var course: Double?
    /// Metres per second upwards.
    public var climb: Double

    /// Makes a state; by default one that stands still.
    public init(
        coordinate: Coordinate, altitude: Double, speed: Double = 0, course: Double? = nil,
        climb: Double = 0
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.climb = climb
    }

    /// The same place, standing still.
    public var atRest: TrueState { TrueState(coordinate: coordinate, altitude: altitude) }
}
