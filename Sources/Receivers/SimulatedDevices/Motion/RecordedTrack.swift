// SPDX-License-Identifier: MIT
public import GNSS
import NMEA

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

/// A straight line or a curve in the path of a `Drive`.
struct PathPiece: Hashable, Sendable {
    /// A curve that rounds a corner.
    private struct Curve: Hashable {
        var corner: Coordinate
        /// The course at the beginning of the curve, in degrees true.
        var course: Double
        /// The change of course in radians, positive to the right.
        var turn: Double
        var radius: Double
    }

    private enum Shape: Hashable {
        /// A straight line that begins `from` metres after the start of the geodesic.
        case straight(Geodesic, from: Double)
        case curve(Curve)
    }

    private var shape: Shape
    /// The length in metres.
    var length: Double
    /// The altitude at the beginning in metres above mean sea level.
    var altitude: Double
    /// The difference of altitude between end and beginning in metres, positive upwards.
    private var rise: Double
    /// The maximum speed that the shape allows, in metres per second.
    var speed: Double
    /// The duration of the stop at the end, in seconds; 0 to brake to a standstill only, `nil` for
    /// no stop.
    var stop: Double?

    /// Returns the state `distance` metres after the beginning, at a speed in metres per second.
    func state(at distance: Double, speed: Double) -> TrueState {
        let place = place(at: distance)
        let isMoving = speed > 0
        return TrueState(
            coordinate: place.coordinate, altitude: altitude + rise * distance / length,
            speed: speed, course: isMoving ? place.course : nil,
            climb: isMoving ? rise / length * speed : 0)
    }

    private func place(at distance: Double) -> Geodesic.Point {
        switch shape {
        case .straight(let way, let offset):
            return way.point(at: offset + distance)
        case .curve(let curve):
            // Compute the offset from the corner, forward and sideways, and rotate it to north and
            // east.
            let turned = curve.turn * distance / length
            let (sine, cosine) = PortableMath.sinCos(turned.magnitude)
            let half = PortableMath.sinCos(curve.turn.magnitude / 2)
            let ahead = curve.radius * (sine - half.sin / half.cos)
            let aside = curve.radius * (1 - cosine) * (curve.turn < 0 ? -1 : 1)
            let (east, north) = PortableMath.sinCos(curve.course.radians)
            return Geodesic.Point(
                coordinate: curve.corner.moved(
                    north: ahead * north - aside * east, east: ahead * east + aside * north),
                course: (curve.course + turned.degrees).wrappedDegrees)
        }
    }
}

extension PathPiece {
    /// The maximum distance in metres between two waypoints that count as the same position.
    private static let samePlace = 0.01

    /// Returns the duration of the stop at the start in seconds: the sum of the stops of all
    /// waypoints at the first position.
    static func firstStop(_ waypoints: [Drive.RoutePoint]) -> Double {
        guard let first = waypoints.first?.coordinate else { return 0 }
        return waypoints.prefix { waypoint in
            let way = Geodesic(from: first, to: waypoint.coordinate)
            return way.map { $0.length <= Self.samePlace } ?? false
        }.reduce(0) { $0 + max(0, $1.stop) }
    }

    /// Returns the path through all waypoints; `nil` if one has an invalid coordinate.
    static func path(by waypoints: [Drive.RoutePoint], _ limits: Drive.Limits) -> [PathPiece]? {
        var legs: [(way: Geodesic, to: Drive.RoutePoint, altitude: Double)] = []
        for (from, to) in zip(waypoints, waypoints.dropFirst()) {
            guard let way = Geodesic(from: from.coordinate, to: to.coordinate) else { return nil }
            // Combine consecutive waypoints at the same position, and add their stops.
            guard way.length > Self.samePlace else {
                if !legs.isEmpty { legs[legs.count - 1].to.stop += to.stop }
                continue
            }
            legs.append((way, to, from.altitude))
        }
        var path: [PathPiece] = []
        var cut = 0.0
        for (index, leg) in legs.enumerated() {
            let next = index + 1 < legs.count ? legs[index + 1].way : nil
            let curve = leg.to.stop > 0 ? nil : next.flatMap { Self.curve(leg.way, $0, limits) }
            let before = curve.map(\.cut) ?? 0
            let mustStop = curve == nil
            path.append(
                PathPiece(
                    shape: .straight(leg.way, from: cut),
                    length: max(0.001, leg.way.length - cut - before), altitude: leg.altitude,
                    rise: leg.to.altitude - leg.altitude, speed: limits.speed,
                    stop: mustStop ? leg.to.stop : nil))
            cut = before
            guard let curve else { continue }
            path.append(
                PathPiece(
                    shape: .curve(curve.shape), length: curve.length, altitude: leg.to.altitude,
                    rise: 0, speed: curve.speed))
        }
        return path
    }

    /// Returns the curve from one line into the next, with the length that it cuts from each line,
    /// its own length and its maximum speed, in metres and metres per second. Returns `nil` if the
    /// turn is so sharp that the vehicle has to stop.
    private static func curve(
        _ way: Geodesic, _ next: Geodesic, _ limits: Drive.Limits
    ) -> (shape: Curve, cut: Double, length: Double, speed: Double)? {
        let arrival = way.point(at: way.length)
        let turn = ((next.course - arrival.course + 540).wrappedDegrees - 180).radians
        // A change of course of 0 is treated as a tiny angle.
        let angle = max(1e-6, turn.magnitude)
        let half = PortableMath.sinCos(angle / 2)
        guard half.cos > 0.05 else { return nil }
        let tangent = half.sin / half.cos
        let room = min(way.length, next.length) / 2
        let radius = min(limits.deviation * half.cos / (1 - half.cos), room / tangent, 1e7)
        let shape = Curve(
            corner: arrival.coordinate, course: arrival.course, turn: turn < 0 ? -angle : angle,
            radius: radius)
        let speed = min(limits.speed, (limits.acceleration * radius).squareRoot())
        return (shape, radius * tangent, radius * angle, speed)
    }
}

extension RecordedTrack {
    /// Creates a track from the positions and times in recorded NMEA sentences. Returns `nil` if
    /// there are none.
    ///
    /// Ignores fixes without a position or a time, and fixes that are not later than the previous
    /// one. Missing altitudes are interpolated.
    public init?(nmea bytes: [UInt8]) {
        var collector = Collector()
        var decoder = NMEADecoder()
        decoder.skipsComments = true
        decoder.push(bytes.span, to: &collector)
        decoder.finish(to: &collector)
        let altitudes = AltitudeInterpolation.complete(
            collector.altitudes, at: collector.points.map(\.seconds))
        for (index, altitude) in altitudes.enumerated() {
            collector.points[index].altitude = altitude
        }
        self.init(collector.points)
    }

    private struct Collector: DecoderListener {
        var points: [TrackPoint] = []
        /// The altitudes of the points; `nil` where unknown.
        var altitudes: [Double?] = []
        private var previous: Fix?
        private var elapsed: Int64 = 0

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            guard let coordinate = fix.coordinate, let time = fix.timeOfDay else { return }
            if let previous, let before = previous.timeOfDay {
                // Without dates, steps of more than half a day are ambiguous.
                var step = time.nanoseconds(since: before)
                if let now = fix.time, let then = previous.time {
                    guard let difference = now.nanoseconds(since: then) else { return }
                    step = difference
                }
                let (sum, isBeyond) = elapsed.addingReportingOverflow(step)
                guard step > 0, !isBeyond else { return }
                elapsed = sum
            }
            previous = fix
            altitudes.append(fix.altitude)
            points.append(TrackPoint(seconds: Double(elapsed) / 1e9, coordinate: coordinate))
        }
    }
}

/// The motion of a vehicle along its path over time, in phases of constant acceleration.
struct SpeedProfile: Hashable, Sendable {
    /// The position on the path and the speed at a time.
    struct PathState {
        var piece: Int
        /// The distance from the beginning of the piece in metres.
        var distance: Double
        var speed: Double
    }

    private struct Phase: Hashable {
        var start: Double
        var piece: Int
        var distance: Double
        var speed: Double
        var acceleration: Double
    }

    private var phases: [Phase] = []
    /// The total duration in seconds, including stops.
    private(set) var duration: Double

    init(_ path: [PathPiece], _ limits: Drive.Limits, firstStop: Double) {
        duration = 0
        if !path.isEmpty, firstStop > 0 {
            add(piece: 0, distance: 0, speed: 0, acceleration: 0, for: firstStop)
        } else {
            duration = max(0, firstStop)
        }
        let bounds = Self.bounds(path, limits.acceleration)
        for (index, piece) in path.enumerated() {
            add(index, piece, from: bounds[index], to: bounds[index + 1], limits.acceleration)
        }
    }

    /// Returns the speeds at the boundaries of the pieces, including start and end. Each is the
    /// maximum that both adjacent pieces, acceleration and braking allow.
    private static func bounds(_ path: [PathPiece], _ acceleration: Double) -> [Double] {
        var bounds = [Double](repeating: 0, count: path.count + 1)
        for index in path.indices.dropLast() where path[index].stop == nil {
            bounds[index + 1] = min(path[index].speed, path[index + 1].speed)
        }
        func reachable(from speed: Double, over piece: PathPiece) -> Double {
            (speed * speed + 2 * acceleration * piece.length).squareRoot()
        }
        for (index, piece) in path.enumerated() {
            bounds[index + 1] = min(bounds[index + 1], reachable(from: bounds[index], over: piece))
        }
        for (index, piece) in path.enumerated().reversed() {
            bounds[index] = min(bounds[index], reachable(from: bounds[index + 1], over: piece))
        }
        return bounds
    }

    /// Adds the phases of a piece: acceleration, constant speed, braking and a stop, where
    /// necessary.
    private mutating func add(
        _ index: Int, _ piece: PathPiece, from first: Double, to last: Double,
        _ acceleration: Double
    ) {
        let squares = first * first + last * last
        let top = min(piece.speed, (acceleration * piece.length + squares / 2).squareRoot())
        let peak = max(top, first, last)
        let gathering = (peak * peak - first * first) / (2 * acceleration)
        let braking = (peak * peak - last * last) / (2 * acceleration)
        let steady = max(0, piece.length - gathering - braking)
        add(
            piece: index, distance: 0, speed: first, acceleration: acceleration,
            for: (peak - first) / acceleration)
        add(
            piece: index, distance: gathering, speed: peak, acceleration: 0, for: steady / peak)
        add(
            piece: index, distance: gathering + steady, speed: peak, acceleration: -acceleration,
            for: (peak - last) / acceleration)
        if let stop = piece.stop {
            add(piece: index, distance: piece.length, speed: 0, acceleration: 0, for: stop)
        }
    }

    private mutating func add(
        piece: Int, distance: Double, speed: Double, acceleration: Double, for time: Double
    ) {
        guard time > 0 else { return }
        phases.append(
            Phase(
                start: duration, piece: piece, distance: distance, speed: speed,
                acceleration: acceleration))
        duration += time
    }

    /// Returns the position on the path and the speed at a time in seconds; `nil` after the end.
    func state(after seconds: Double) -> PathState? {
        guard !phases.isEmpty, seconds < duration else { return nil }
        let seconds = max(0, seconds)
        let phase = phases[max(0, phases.sortedPrefixCount { $0.start <= seconds } - 1)]
        let time = seconds - phase.start
        return PathState(
            piece: phase.piece,
            distance: phase.distance + (phase.speed + phase.acceleration * time / 2) * time,
            speed: max(0, phase.speed + phase.acceleration * time))
    }
}

/// Interpolates unknown altitudes along a path.
package enum AltitudeInterpolation {
    /// Returns an altitude for every point. Unknown altitudes are interpolated linearly.
    /// `positions` are the ascending times or distances of the points along the path, in seconds or
    /// metres. Before the first and after the last known altitude, the altitude is constant. If
    /// none is known, all are 0.
    package static func complete(_ known: [Double?], at positions: [Double]) -> [Double] {
        var altitudes = known.map { $0 ?? 0 }
        var before: Int?
        for (index, altitude) in known.enumerated() {
            guard let altitude else { continue }
            for missing in (before.map { $0 + 1 } ?? 0)..<index {
                let start = before.map { positions[$0] } ?? positions[index]
                let length = positions[index] - start
                let fraction = length > 0 ? (positions[missing] - start) / length : 1
                let from = before.map { altitudes[$0] } ?? altitude
                altitudes[missing] = from + (altitude - from) * fraction
            }
            before = index
        }
        guard let last = before else { return altitudes }
        for missing in last + 1..<altitudes.count { altitudes[missing] = altitudes[last] }
        return altitudes
    }
}
