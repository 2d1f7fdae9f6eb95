// SPDX-License-Identifier: MIT
public import GNSS

/// A motion along the shortest line between two points at constant speed, a geodesic on the
/// ellipsoid.
public struct LineTrack: Trajectory, Hashable {
    /// The geodesic from start to end.
    public let way: Geodesic
    /// Metres per second.
    public let speed: Double
    /// Metres above mean sea level at the start.
    public let altitude: Double
    /// Metres above mean sea level at the end.
    public let finalAltitude: Double

    /// Creates a line between two points with a constant climb. Returns `nil` if the speed is not
    /// above zero, or `Geodesic` finds no line, as between nearly antipodal points.
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

    /// Seconds until the arrival.
    public var duration: Double? { way.length / speed }

    /// Returns the state on the line; at rest before the start and after the end.
    public func state(after seconds: Double) -> TrueState {
        let distance = min(way.length, max(0, speed * seconds))
        let point = way.point(at: distance)
        let share = way.length > 0 ? distance / way.length : 1
        let isMoving = seconds >= 0 && speed * seconds < way.length
        return TrueState(
            coordinate: point.coordinate,
            altitude: altitude + (finalAltitude - altitude) * share,
            speed: isMoving ? speed : 0, course: isMoving ? point.course : nil,
            climb: isMoving ? (finalAltitude - altitude) / way.length * speed : 0)
    }
}
