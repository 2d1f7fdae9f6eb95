// SPDX-License-Identifier: MIT
public import GNSS

/// A motion: a pure function of time.
public protocol Trajectory: Sendable {
    /// Returns the state `seconds` after the start; after the end, at rest at the last position.
    func state(after seconds: Double) -> TrueState

    /// Seconds until the motion ends; `nil` if it never does.
    var duration: Double? { get }
}

/// The true position and velocity of the antenna.
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

    /// Creates a state; at rest by default.
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

}

/// A trajectory without motion.
public struct Stationary: Trajectory, Hashable {
    /// The position.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// The duration in seconds; `nil` for no end.
    public var duration: Double?

    /// Creates a trajectory without motion.
    public init(at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.duration = duration
    }

    /// Returns the same state for any time.
    public func state(after seconds: Double) -> TrueState {
        TrueState(coordinate: coordinate, altitude: altitude)
    }
}

extension Trajectory where Self == Stationary {
    /// A trajectory without motion, with an optional duration; `altitude` in metres above mean sea
    /// level.
    public static func stationary(
        at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil
    ) -> Stationary {
        Stationary(at: coordinate, altitude: altitude, for: duration)
    }
}
