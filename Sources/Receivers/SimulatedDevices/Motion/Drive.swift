// SPDX-License-Identifier: MIT
public import GNSS

/// A vehicle's drive from waypoint to waypoint. It accelerates, brakes and takes corners in curves,
/// within a maximum acceleration.
public struct Drive: Trajectory, Hashable {
    /// The limits of the vehicle.
    public struct Limits: Hashable, Sendable {
        /// The maximum speed in metres per second.
        public var speed: Double
        /// The maximum acceleration in m/s², for speeding up, braking and cornering.
        public var acceleration: Double
        /// The maximum distance in metres between a curve and the waypoint that it cuts.
        public var deviation: Double

        /// Creates limits. A value below 0.001 is replaced by 0.001. The defaults are for a car in
        /// a town.
        public init(speed: Double = 14, acceleration: Double = 2, deviation: Double = 4) {
            self.speed = max(1e-3, speed)
            self.acceleration = max(1e-3, acceleration)
            self.deviation = max(1e-3, deviation)
        }
    }

    /// A waypoint of a drive.
    public struct Waypoint: Hashable, Sendable {
        /// The latitude and longitude in degrees (WGS 84).
        public var coordinate: Coordinate
        /// The altitude in metres above mean sea level.
        public var altitude: Double
        /// The duration of the stop in seconds. If it is 0, the waypoint is passed in a curve.
        public var stop: Double

        /// Creates a waypoint.
        public init(_ coordinate: Coordinate, altitude: Double = 0, stop: Double = 0) {
            self.coordinate = coordinate
            self.altitude = altitude
            self.stop = stop
        }
    }

    private let path: [PathPiece]
    private let profile: SpeedProfile
    private let end: TrueState

    /// Creates a drive that starts and ends at rest. Returns `nil` if there is no waypoint, or if
    /// one has an invalid coordinate.
    public init?(_ waypoints: [Waypoint], limits: Limits = Limits()) {
        guard let last = waypoints.last, waypoints.allSatisfy(\.coordinate.isValid),
            let path = PathPiece.path(by: waypoints, limits)
        else { return nil }
        self.path = path
        profile = SpeedProfile(path, limits, firstStop: PathPiece.firstStop(waypoints))
        end = TrueState(coordinate: last.coordinate, altitude: last.altitude)
    }

    /// The time from the start to the end of the stop at the last waypoint, in seconds.
    public var duration: Double? { profile.duration }

    /// Returns the state `seconds` after the start. After the end, the vehicle is at rest at the
    /// last waypoint.
    public func state(after seconds: Double) -> TrueState {
        guard let state = profile.state(after: seconds) else { return end }
        return path[state.piece].state(at: state.distance, speed: state.speed)
    }
}
