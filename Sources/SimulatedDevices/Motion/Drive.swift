// SPDX-License-Identifier: MIT
public import GNSS

/// Driving from waypoint to waypoint as a vehicle does: it gathers speed, brakes, and takes corners
/// in curves, never beyond its acceleration.
public struct Drive: Trajectory, Hashable {
    /// The limits of the vehicle.
    public struct Limits: Hashable, Sendable {
        /// Metres per second.
        public var speed: Double
        /// Metres per second squared, forwards, in braking and sidewards.
        public var acceleration: Double
        /// Metres by which a curve may miss its waypoint.
        public var deviation: Double

        /// Creates limits; what is not above zero is taken as a thousandth. By default a car in town.
        public init(speed: Double = 14, acceleration: Double = 2, deviation: Double = 4) {
            self.speed = max(1e-3, speed)
            self.acceleration = max(1e-3, acceleration)
            self.deviation = max(1e-3, deviation)
        }
    }

    private let path: [PathPiece]
    private let profile: SpeedProfile
    private let end: TrueState

    /// Creates a drive; it starts and ends at rest. `nil` where there is no waypoint, and where
    /// `Geodesic` finds no way between two.
    public init?(_ waypoints: [Waypoint], limits: Limits = Limits()) {
        guard let last = waypoints.last, waypoints.allSatisfy(\.coordinate.isValid) else {
            return nil
        }
        guard let path = PathPiece.path(by: waypoints, limits) else { return nil }
        self.path = path
        profile = SpeedProfile(path, limits, firstStop: PathPiece.firstStop(waypoints))
        end = TrueState(coordinate: last.coordinate, altitude: last.altitude)
    }

    /// Until it stands at the last waypoint, and its stop is over.
    public var duration: Double? { profile.duration }

    /// On the way.
    public func state(after seconds: Double) -> TrueState {
        guard let moment = profile.moment(after: seconds) else { return end }
        return path[moment.piece].state(at: moment.distance, speed: moment.speed)
    }
}

/// A place to come by.
public struct Waypoint: Hashable, Sendable {
    /// Where.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Seconds to stand there; at 0 one only comes by, in a curve.
    public var stop: Double

    /// Creates a place.
    public init(_ coordinate: Coordinate, altitude: Double = 0, stop: Double = 0) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.stop = stop
    }
}
