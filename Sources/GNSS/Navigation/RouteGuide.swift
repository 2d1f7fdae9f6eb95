// SPDX-License-Identifier: MIT

/// Computes the direction and distance to the current waypoint of a route, leg by leg.
///
/// A leg begins at the previous waypoint, and the first leg at the first position. A waypoint is
/// **reached** when two consecutive fixes are within 50 m of it, or within 200 m and past the end
/// of the leg. Fixes with an integrity alarm do not count.
package struct RouteGuide: Sendable {
    /// The distance at which a waypoint ahead is reached, in metres.
    private static let arrivalRadius = 50.0
    /// The distance at which a waypoint is reached once the vessel has passed it, in metres.
    private static let passingRadius = 200.0
    /// The minimum speed towards the waypoint, in m/s, for an estimated time of arrival.
    private static let minimumSpeed = 0.1

    /// The state after the last fix.
    package private(set) var state: WaypointState

    private let route: [RoutePoint]
    private var start: Coordinate?
    private var index = 0
    /// The number of consecutive fixes at the waypoint.
    private var arrivalCount = 0

    /// Creates a guide. Returns `nil` if the route is empty.
    package init?(_ route: [RoutePoint]) {
        guard let first = route.first else { return nil }
        self.route = route
        state = WaypointState(first, number: 1, count: route.count)
    }

    /// Adds a fix. Returns a message if a waypoint has been reached.
    package mutating func receive(_ fix: Fix) -> String? {
        guard fix.mode > .noFix, let position = fix.coordinate, position.isValid else {
            forgetPosition()
            return nil
        }
        let isPassed = measure(fix, position)
        let isDoubtful = fix.integrity?.state == .alarm
        guard !isDoubtful, let distance = state.distance, !state.hasArrived else {
            arrivalCount = 0
            return nil
        }
        let limit = isPassed ? Self.passingRadius : Self.arrivalRadius
        arrivalCount = distance <= limit ? arrivalCount + 1 : 0
        guard arrivalCount == 2 else { return nil }
        return arrive(fix, position)
    }

    /// Clears all values that depend on the position. Call it when the receiver is lost or sends no
    /// data.
    package mutating func forgetPosition() {
        let hasArrived = state.hasArrived
        state = WaypointState(route[index], number: index + 1, count: route.count)
        state.hasArrived = hasArrived
        arrivalCount = 0
    }

    /// Continues with the next leg, or ends the route. Returns the message.
    private mutating func arrive(_ fix: Fix, _ position: Coordinate) -> String {
        arrivalCount = 0
        let reached = state.title
        guard index + 1 < route.count else {
            state.hasArrived = true
            return "arrived at \(reached)"
        }
        index += 1
        start = route[index - 1].coordinate
        state = WaypointState(route[index], number: index + 1, count: route.count)
        _ = measure(fix, position)
        return "arrived at \(reached), next is \(state.title)"
    }

    /// Updates the state for a position. Returns whether the position is past the end of the leg.
    private mutating func measure(_ fix: Fix, _ position: Coordinate) -> Bool {
        let target = state.waypoint.coordinate
        let start = start ?? position
        if fix.integrity?.state != .alarm { self.start = start }
        let distance = position.distance(to: target)
        state.distance = distance.isFinite ? distance : nil
        state.bearing = position.course(to: target)
        state.velocityMadeGood = Self.velocity(of: fix, towards: state.bearing)
        state.timeToGo = state.velocityMadeGood.flatMap {
            $0 > Self.minimumSpeed && distance.isFinite ? distance / $0 : nil
        }
        let crossTrack = Geodesic(from: start, to: target).flatMap { $0.crossTrack(of: position) }
        state.crossTrackError = crossTrack?.error
        return crossTrack?.isBeyondEnd ?? false
    }

    private static func velocity(of fix: Fix, towards bearing: Double?) -> Double? {
        guard let bearing, let speed = fix.speedOverGround, let course = fix.course,
            course.isFinite
        else { return nil }
        return speed * PortableMath.cos((course - bearing).radians)
    }
}

extension Geodesic {
    /// Returns the distance of a point from the path in metres, positive to the right, and whether
    /// the point is past the end. Returns `nil` if the path has no length, or if the computation
    /// does not converge.
    func crossTrack(of point: Coordinate) -> (error: Double, isBeyondEnd: Bool)? {
        guard length > 0 else { return nil }
        var along = 0.0
        // Move `foot` along the path until the direction to the point is at a right angle to the
        // path.
        for _ in 0..<5 {
            let foot = self.point(at: along)
            guard let way = Geodesic(from: foot.coordinate, to: point) else { return nil }
            let (sine, cosine) = PortableMath.sinCos((way.course - foot.course).radians)
            let step = way.length * cosine
            guard step.magnitude > 0.01 else {
                return (way.length * sine, along > length)
            }
            along += step
        }
        return nil
    }
}
