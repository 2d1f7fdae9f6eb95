// SPDX-License-Identifier: MIT
import GNSS

/// A straight way or a curve between two of them.
struct PathPiece: Hashable, Sendable {
    /// A curve cuts a corner: this far before and behind it, it leaves the straight ways.
    struct Curve: Hashable {
        var corner: Coordinate
        /// Degrees true in which it begins.
        var course: Double
        /// Radians, to the right.
        var turn: Double
        var radius: Double
    }

    enum Shape: Hashable {
        /// A straight piece, beginning that many metres after the geodesic's start.
        case straight(Geodesic, from: Double)
        case curve(Curve)
    }

    var shape: Shape
    /// Metres.
    var length: Double
    /// Metres above mean sea level where it begins.
    var altitude: Double
    /// Metres by which it rises.
    var rise: Double
    /// Metres per second that the shape allows.
    var speed: Double
    /// Seconds to stand at the end; `nil` for no stop.
    var stop: Double?

    /// The state after that many metres.
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
            // Forwards and sidewards of where it begins, then of the corner, then north and east.
            let turned = curve.turn * distance / length
            let (sine, cosine) = Portable.sinCos(turned.magnitude)
            let half = Portable.sinCos(curve.turn.magnitude / 2)
            let ahead = curve.radius * (sine - half.sin / half.cos)
            let aside = curve.radius * (1 - cosine) * (curve.turn < 0 ? -1 : 1)
            let (east, north) = Portable.sinCos(curve.course.radians)
            return Geodesic.Point(
                coordinate: curve.corner.moved(
                    north: ahead * north - aside * east, east: ahead * east + aside * north),
                course: (curve.course + turned.degrees).wrappedDegrees)
        }
    }
}

extension PathPiece {
    /// Metres within which two waypoints are one.
    private static let samePlace = 0.01

    /// Seconds to stand before anything else: as long as at all waypoints that are the first place.
    static func firstStop(_ waypoints: [Waypoint]) -> Double {
        guard let first = waypoints.first?.coordinate else { return 0 }
        return waypoints.prefix { waypoint in
            let way = Geodesic(from: first, to: waypoint.coordinate)
            return way.map { $0.length <= Self.samePlace } ?? false
        }.reduce(0) { $0 + max(0, $1.stop) }
    }

    /// The way by all waypoints; `nil` where there is none.
    static func path(by waypoints: [Waypoint], _ limits: Drive.Limits) -> [PathPiece]? {
        var legs: [(way: Geodesic, to: Waypoint, altitude: Double)] = []
        for (from, to) in zip(waypoints, waypoints.dropFirst()) {
            guard let way = Geodesic(from: from.coordinate, to: to.coordinate) else { return nil }
            // Twice the same place is one, with the stops of both.
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

    /// The curve from one way into the next; `nil` where it would be so tight that one has to stop.
    private static func curve(
        _ way: Geodesic, _ next: Geodesic, _ limits: Drive.Limits
    ) -> (shape: Curve, cut: Double, length: Double, speed: Double)? {
        let arrival = way.point(at: way.length)
        let turn = ((next.course - arrival.course + 540).wrappedDegrees - 180).radians
        // Straight on is a curve, too; a tiny one.
        let angle = max(1e-6, turn.magnitude)
        let half = Portable.sinCos(angle / 2)
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
