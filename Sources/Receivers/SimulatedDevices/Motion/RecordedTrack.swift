// SPDX-License-Identifier: MIT
public import GNSS

/// A motion from point to point along geodesics. Each point is passed at its time.
public struct RecordedTrack: Trajectory, Hashable {
    /// The segment from one point to the next.
    private struct Leg: Hashable {
        var start: Double
        var end: Double
        var way: Geodesic
        var altitude: Double
        var rise: Double
    }

    private let legs: [Leg]
    private let last: TrackPoint

    /// Creates a track from points in order of time. Points with an invalid coordinate, and points
    /// that are not later than the previous one, are ignored. Returns `nil` if all points are
    /// ignored.
    public init?(_ points: some Sequence<TrackPoint>) {
        var legs: [Leg] = []
        var previous: TrackPoint?
        for point in points where point.coordinate.isValid && point.seconds.isFinite {
            guard let before = previous else {
                previous = point
                continue
            }
            guard point.seconds > before.seconds,
                let way = Geodesic(from: before.coordinate, to: point.coordinate)
            else { continue }
            legs.append(
                Leg(
                    start: before.seconds, end: point.seconds, way: way,
                    altitude: before.altitude, rise: point.altitude - before.altitude))
            previous = point
        }
        guard let previous else { return nil }
        self.legs = legs
        last = previous
    }

    /// Creates a track along points at a constant speed in metres per second. The times of the
    /// points are ignored. Returns `nil` if no point is valid, or if the speed is zero, negative or
    /// not finite.
    public init?(_ points: some Sequence<TrackPoint>, speed: Double) {
        guard speed > 0, speed.isFinite else { return nil }
        var timed: [TrackPoint] = []
        for point in points where point.coordinate.isValid {
            var point = point
            point.seconds = 0
            if let before = timed.last {
                guard let way = Geodesic(from: before.coordinate, to: point.coordinate),
                    way.length > 0
                else { continue }
                point.seconds = before.seconds + way.length / speed
            }
            timed.append(point)
        }
        self.init(timed)
    }

    /// The time of the last point in seconds.
    public var duration: Double? { last.seconds }

    /// Returns the state at a time in seconds. Before the first and after the last point, the
    /// receiver is at rest.
    public func state(after seconds: Double) -> TrueState {
        guard let leg = leg(at: seconds) else {
            return TrueState(coordinate: last.coordinate, altitude: last.altitude)
        }
        let time = leg.end - leg.start
        let fraction = max(0, seconds - leg.start) / time
        let point = leg.way.point(at: leg.way.length * fraction)
        let isMoving = seconds >= leg.start
        return TrueState(
            coordinate: point.coordinate, altitude: leg.altitude + leg.rise * fraction,
            speed: isMoving ? leg.way.length / time : 0,
            course: isMoving && leg.way.length > 0 ? point.course : nil,
            climb: isMoving ? leg.rise / time : 0)
    }

    /// Returns the first leg that ends after a time; `nil` after the last one.
    private func leg(at seconds: Double) -> Leg? {
        let index = legs.sortedPrefixCount { $0.end <= seconds }
        return index < legs.count ? legs[index] : nil
    }
}

/// A point of a recorded track.
public struct TrackPoint: Hashable, Sendable {
    /// The time of the point, in seconds after the start of the simulation.
    public var seconds: Double
    /// The latitude and longitude in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level.
    public var altitude: Double

    /// Creates a point.
    public init(seconds: Double, coordinate: Coordinate, altitude: Double = 0) {
        self.seconds = seconds
        self.coordinate = coordinate
        self.altitude = altitude
    }
}
