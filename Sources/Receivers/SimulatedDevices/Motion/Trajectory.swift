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

/// A motion in a circle at constant speed. It is clockwise, or anticlockwise if the speed is
/// negative.
public struct CircleTrack: Trajectory, Hashable {
    /// The centre of the circle.
    public var center: Coordinate
    /// The radius in metres.
    public var radius: Double
    /// The speed in metres per second; negative for anticlockwise motion.
    public var speed: Double
    /// The altitude in metres above mean sea level.
    public var altitude: Double

    /// Creates a circle. By default, it has a radius of 100 m around a public square in Vienna, and
    /// the speed is 36 km/h.
    public init(
        center: Coordinate = Coordinate(latitude: 48.2066, longitude: 16.3634),
        radius: Double = 100, speed: Double = 10, altitude: Double = 171
    ) {
        self.center = center
        self.radius = radius
        self.speed = speed
        self.altitude = altitude
    }

    /// The duration is `nil`, because the motion never ends.
    public var duration: Double? { nil }

    /// Returns the state `seconds` after the start, which is north of the centre.
    public func state(after seconds: Double) -> TrueState {
        guard radius > 0, speed != 0 else {
            return TrueState(
                coordinate: center.moved(north: max(0, radius), east: 0), altitude: altitude)
        }
        let bearing = (speed * seconds / radius).truncatingRemainder(dividingBy: 2 * .pi)
        let (sine, cosine) = PortableMath.sinCos(bearing)
        let outward = outward(bearing.degrees)
        return TrueState(
            coordinate: center.moved(north: radius * cosine, east: radius * sine),
            altitude: altitude, speed: speed.magnitude,
            course: (outward + (speed > 0 ? 90 : 270)).wrappedDegrees)
    }

    /// Returns the course, in degrees true, that leads directly away from the centre at a point on
    /// the circle. `bearing` is the bearing of the point from the centre, in degrees true.
    private func outward(_ bearing: Double) -> Double {
        guard !center.isFlat(within: radius) else { return bearing }
        return Geodesic(from: center, course: bearing, length: radius).point(at: radius).course
    }
}

extension Coordinate {
    /// Returns the point at an offset in metres.
    ///
    /// For short distances it is computed on the ellipsoid's tangent plane, accurate to millimetres
    /// within a hundred metres; otherwise along a geodesic. The path may cross the date line and
    /// the poles.
    package func moved(north: Double, east: Double) -> Coordinate {
        let distance = (north * north + east * east).squareRoot()
        guard isFlat(within: distance) else {
            let course = PortableMath.atan2(east, north).degrees
            return Geodesic(from: self, course: course, length: distance)
                .point(at: distance).coordinate
        }
        let (sine, cosine) = PortableMath.sinCos(latitude.radians)
        let root = (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
        let primeVertical = WGS84.semiMajor / root
        let meridian = primeVertical * (1 - WGS84.eccentricitySquared) / (root * root)
        let eastward = longitude + (east / (primeVertical * cosine)).degrees
        return Coordinate(
            latitude: latitude + (north / meridian).degrees,
            longitude: eastward - 360 * (eastward / 360).rounded())
    }

    /// Returns whether a tangent plane is accurate enough within `distance` metres. The limit is 10
    /// km, and less near a pole, where the direction of north changes quickly.
    func isFlat(within distance: Double) -> Bool {
        // The limit is a hundredth of the distance to the pole, at 111 km per degree.
        distance == 0 || distance <= min(10_000, 1110 * (90 - latitude.magnitude))
    }
}

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
    public struct RoutePoint: Hashable, Sendable {
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
    public init?(_ waypoints: [RoutePoint], limits: Limits = Limits()) {
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

/// A sequence of trajectories, for example: wait, drive, wait.
///
/// Each trajectory begins when the previous one has ended. If a trajectory has no end, the
/// trajectories after it are ignored.
public struct Journey: Trajectory {
    private let parts: [(start: Double, trajectory: any Trajectory)]
    /// The total duration in seconds; `nil` if a trajectory has no end.
    public let duration: Double?

    /// Creates a journey from its parts.
    public init(_ first: any Trajectory, _ others: any Trajectory...) {
        self.init(first, then: others)
    }

    /// Creates a journey from its parts.
    public init(_ first: any Trajectory, then others: [any Trajectory]) {
        var parts: [(start: Double, trajectory: any Trajectory)] = [(0, first)]
        var end = first.duration
        for part in others {
            guard let start = end else { break }
            parts.append((start, part))
            end = part.duration.map { start + $0 }
        }
        self.parts = parts
        duration = end
    }

    /// Returns the state of the trajectory that is active `seconds` after the start.
    public func state(after seconds: Double) -> TrueState {
        let index = parts.lastIndex { $0.start <= seconds } ?? 0
        let part = parts[index]
        return part.trajectory.state(after: seconds - part.start)
    }
}

/// A motion at constant speed along the geodesic between two points.
public struct LineTrack: Trajectory, Hashable {
    /// The geodesic from start to end.
    package let way: Geodesic
    /// The speed in metres per second.
    public let speed: Double
    /// The altitude at the start in metres above mean sea level.
    public let altitude: Double
    /// The altitude at the end in metres above mean sea level.
    private let finalAltitude: Double

    /// Creates a line between two points with a constant climb rate, or with a constant altitude if
    /// `finalAltitude` is `nil`. Returns `nil` if the speed is zero, negative or not finite, or if
    /// a coordinate is not valid.
    public init?(
        from start: Coordinate, to end: Coordinate, speed: Double, altitude: Double = 0,
        finalAltitude: Double? = nil
    ) {
        guard speed > 0, speed.isFinite, let way = Geodesic(from: start, to: end) else {
            return nil
        }
        self.way = way
        self.speed = speed
        self.altitude = altitude
        self.finalAltitude = finalAltitude ?? altitude
    }

    /// The time from start to end in seconds.
    public var duration: Double? { way.length / speed }

    /// Returns the state on the line. Before the start and after the end, the receiver is at rest.
    public func state(after seconds: Double) -> TrueState {
        let distance = min(way.length, max(0, speed * seconds))
        let point = way.point(at: distance)
        let fraction = way.length > 0 ? distance / way.length : 1
        let isMoving = seconds >= 0 && speed * seconds < way.length
        return TrueState(
            coordinate: point.coordinate,
            altitude: altitude + (finalAltitude - altitude) * fraction,
            speed: isMoving ? speed : 0, course: isMoving ? point.course : nil,
            climb: isMoving ? (finalAltitude - altitude) / way.length * speed : 0)
    }
}
