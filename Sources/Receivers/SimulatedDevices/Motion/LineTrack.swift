// SPDX-License-Identifier: MIT
public import GNSS

/// A motion at constant speed along the geodesic between two points.
public struct LineTrack: Trajectory, Hashable {
    /// The geodesic from start to end.
    public let way: Geodesic
    /// The speed in metres per second.
    public let speed: Double
    /// The altitude at the start in metres above mean sea level.
    public let altitude: Double
    /// The altitude at the end in metres above mean sea level.
    public let finalAltitude: Double

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
