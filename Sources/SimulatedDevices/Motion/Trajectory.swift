// SPDX-License-Identifier: MIT
public import GNSS

/// A motion: a pure function of time.
public protocol Trajectory: Sendable {
    /// The state that many seconds after the start; at rest where it ends, once it has ended.
    func state(after seconds: Double) -> TrueState

    /// Seconds until it ends; `nil` if it never does.
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

    /// Creates a state; by default one that stands still.
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

/// Standing still.
public struct Stationary: Trajectory, Hashable {
    /// Where.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Seconds; `nil` without end.
    public var duration: Double?

    /// Creates a trajectory without motion.
    public init(at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.duration = duration
    }

    /// The same at any time.
    public func state(after seconds: Double) -> TrueState {
        TrueState(coordinate: coordinate, altitude: altitude)
    }
}

extension Trajectory where Self == Stationary {
    /// Standing still, for ever or for some seconds; `altitude` in metres above mean sea level.
    public static func stationary(
        at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil
    ) -> Stationary {
        Stationary(at: coordinate, altitude: altitude, for: duration)
    }
}
