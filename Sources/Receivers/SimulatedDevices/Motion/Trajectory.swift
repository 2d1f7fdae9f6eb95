// SPDX-License-Identifier: MIT
public import GNSS

/// The motion of a simulated receiver as a function of time.
public protocol Trajectory: Sendable {
    /// Returns the state `seconds` after the start. The result depends only on `seconds`. After the
    /// end, the receiver is at rest at the last position.
    func state(after seconds: Double) -> TrueState

    /// The time until the motion ends, in seconds; `nil` if it never ends.
    var duration: Double? { get }
}

/// The true position and velocity of the antenna.
public struct TrueState: Hashable, Sendable {
    /// The latitude and longitude in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level.
    public var altitude: Double
    /// The speed over ground in metres per second.
    public var speed: Double
    /// The course over ground in degrees true, 0 up to 360; `nil` when stationary.
    public var course: Double?
    /// The climb rate in metres per second; positive upwards.
    public var climb: Double

    /// Creates a state. By default, speed and climb rate are 0 and the course is `nil`.
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
    /// The constant position in degrees.
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level.
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
    /// Creates a trajectory without motion. `altitude` is in metres above mean sea level, and
    /// `duration` in seconds; `nil` means no end.
    public static func stationary(
        at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil
    ) -> Stationary {
        Stationary(at: coordinate, altitude: altitude, for: duration)
    }
}
