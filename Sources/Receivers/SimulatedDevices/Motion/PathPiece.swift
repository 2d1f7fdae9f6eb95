// SPDX-License-Identifier: MIT
import GNSS

/// A straight line or a curve in the path of a `Drive`.
struct PathPiece: Hashable, Sendable {
    /// A curve that rounds a corner.
    struct Curve: Hashable {
        var corner: Coordinate
        /// The course at the beginning of the curve, in degrees true.
        var course: Double
        /// The change of course in radians, positive to the right.
        var turn: Double
        var radius: Double
    }

    enum Shape: Hashable {
        /// A straight line that begins `from` metres after the start of the geodesic.
        case straight(Geodesic, from: Double)
        case curve(Curve)
    }

    var shape: Shape
    /// The length in metres.
    var length: Double
    /// The altitude at the beginning in metres above mean sea level.
    var altitude: Double
    /// The difference of altitude between end and beginning in metres, positive upwards.
    var rise: Double
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
    static func firstStop(_ waypoints: [Drive.Waypoint]) -> Double {
        guard let first = waypoints.first?.coordinate else { return 0 }
        return waypoints.prefix { waypoint in
            let way = Geodesic(from: first, to: waypoint.coordinate)
            return way.map { $0.length <= Self.samePlace } ?? false
        }.reduce(0) { $0 + max(0, $1.stop) }
    }

    /// Returns the path through all waypoints; `nil` if one has an invalid coordinate.
    static func path(by waypoints: [Drive.Waypoint], _ limits: Drive.Limits) -> [PathPiece]? {
        var legs: [(way: Geodesic, to: Drive.Waypoint, altitude: Double)] = []
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
