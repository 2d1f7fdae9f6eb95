// SPDX-License-Identifier: MIT

/// Computes the direction and distance to the current waypoint of a route, leg by leg.
///
/// A leg begins at the previous waypoint. The leg to the first waypoint begins at the first
/// position. A waypoint is **reached** when two consecutive fixes meet one of these conditions:
///
/// - The position is within 50 m of the waypoint.
/// - The position is within 200 m of the waypoint and past the end of the leg.
/// - The position is past the turn to the next leg. Its distance from the waypoint is at most the
///   length of the longer leg.
///
/// Fixes with an integrity alarm do not count.
///
/// The guide begins with the leg that is nearest to the first position, so that a restart in the
/// middle of a route continues there.
package struct RouteGuide: Sendable {
    /// The distance at which a waypoint is reached before the vessel passes it, in metres.
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
    /// The number of consecutive fixes that meet a condition for reaching the waypoint.
    private var arrivalCount = 0

    /// Creates a guide. Returns `nil` if the route is empty.
    package init?(_ route: [RoutePoint]) {
        guard let first = route.first else { return nil }
        self.route = route
        state = WaypointState(first, number: 1, count: route.count)
    }

    /// Adds a fix. Returns a message if a waypoint has been reached, or if the first position is
    /// nearer to a later leg than to the first waypoint.
    package mutating func receive(_ fix: Fix) -> String? {
        guard fix.mode > .noFix, let position = fix.coordinate, position.isValid else {
            forgetPosition()
            return nil
        }
        let isDoubtful = fix.integrity?.state == .alarm
        if !isDoubtful, start == nil, let message = begin(fix, at: position) { return message }
        let isBeyondEnd = measure(fix, position)
        guard !isDoubtful, let distance = state.distance, !state.hasArrived else {
            arrivalCount = 0
            return nil
        }
        let limit = isBeyondEnd ? Self.passingRadius : Self.arrivalRadius
        let isReached = distance <= limit || isPastTurn(position)
        arrivalCount = isReached ? arrivalCount + 1 : 0
        guard arrivalCount == 2 else { return nil }
        return arrive(fix, position)
    }

    /// Clears all values that depend on the position. Call it when the receiver is lost or sends no
    /// data.
    mutating func forgetPosition() {
        let hasArrived = state.hasArrived
        state = WaypointState(route[index], number: index + 1, count: route.count)
        state.hasArrived = hasArrived
        arrivalCount = 0
    }

    /// Begins with the leg that is nearest to the first position. Returns a message unless that is
    /// the leg to the first waypoint.
    private mutating func begin(_ fix: Fix, at position: Coordinate) -> String? {
        start = position
        let nearest = nearestLeg(to: position)
        guard nearest > 0 else { return nil }
        lead(to: nearest, fix, position)
        return "the route continues with \(state.title) (\(nearest + 1) of \(route.count))"
    }

    /// Returns the index of the waypoint at the end of the leg that is nearest to a position. The
    /// distance to the first leg is the distance to the first waypoint.
    ///
    /// The last leg is ignored if the position is near the last waypoint or beyond it, because a
    /// round trip begins where it ends.
    private func nearestLeg(to position: Coordinate) -> Int {
        var nearest = (index: 0, distance: position.distance(to: route[0].coordinate))
        for index in route.indices.dropFirst() {
            let end = route[index].coordinate
            guard let leg = Geodesic(from: route[index - 1].coordinate, to: end),
                let crossTrack = leg.crossTrack(of: position), crossTrack.along > 0
            else { continue }
            let toEnd = position.distance(to: end)
            if index + 1 == route.count, crossTrack.isBeyondEnd || toEnd <= Self.passingRadius {
                continue
            }
            let distance = crossTrack.isBeyondEnd ? toEnd : crossTrack.error.magnitude
            if distance < nearest.distance { nearest = (index, distance) }
        }
        return nearest.index
    }

    /// Returns whether a position is past the line that halves the angle between the current leg
    /// and the next one. If the route turns by more than a right angle, the position must also be
    /// past the end of the leg, because both legs may lie side by side.
    ///
    /// Returns `false` if the position is farther from the waypoint than the length of the longer
    /// leg, because the vessel has then left the route.
    private func isPastTurn(_ position: Coordinate) -> Bool {
        guard index + 1 < route.count, let start else { return false }
        let corner = state.waypoint.coordinate
        let next = route[index + 1].coordinate
        let limit = Swift.max(corner.distance(to: start), corner.distance(to: next))
        guard corner.distance(to: position) <= limit else { return false }
        guard let back = corner.course(to: start),
            let ahead = corner.course(to: next),
            let course = corner.course(to: position)
        else { return false }
        let alongLeg = -PortableMath.cos((course - back).radians)
        let alongNext = PortableMath.cos((course - ahead).radians)
        let isSharp = PortableMath.cos((ahead - back).radians) > 0
        return alongLeg + alongNext > 0 && (!isSharp || alongLeg > 0)
    }

    /// Continues with the next leg, or ends the route. Returns the message.
    private mutating func arrive(_ fix: Fix, _ position: Coordinate) -> String {
        arrivalCount = 0
        let reached = state.title
        let isNear = state.distance.map { $0 <= Self.passingRadius } ?? false
        guard index + 1 < route.count else {
            state.hasArrived = true
            return "arrived at \(reached)"
        }
        lead(to: index + 1, fix, position)
        return "\(isNear ? "arrived at" : "passed") \(reached), next is \(state.title)"
    }

    /// Makes a waypoint the current one. Its leg begins at the waypoint before it.
    private mutating func lead(to index: Int, _ fix: Fix, _ position: Coordinate) {
        self.index = index
        start = route[index - 1].coordinate
        state = WaypointState(route[index], number: index + 1, count: route.count)
        _ = measure(fix, position)
    }

    /// Updates the state for a position. Returns whether the position is past the end of the leg.
    private mutating func measure(_ fix: Fix, _ position: Coordinate) -> Bool {
        let target = state.waypoint.coordinate
        let start = start ?? position
        let distance = position.distance(to: target)
        state.distance = distance.isFinite ? distance : nil
        state.bearing = position.course(to: target)
        state.velocityMadeGood = Self.velocity(of: fix, towards: state.bearing)
        state.timeToGo = state.velocityMadeGood.flatMap {
            $0 > Self.minimumSpeed && distance.isFinite ? distance / $0 : nil
        }
        let crossTrack = Geodesic(from: start, to: target)?.crossTrack(of: position)
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
    /// Returns the distance of a point from the path (`error`) and the distance along the path from
    /// the start to the nearest point of the extended path (`along`), in metres. `error` is
    /// positive to the right of the path. `isBeyondEnd` is `true` if the nearest point is past the
    /// end. Returns `nil` if the path has no length, or if the computation does not converge.
    func crossTrack(
        of point: Coordinate
    ) -> (error: Double, along: Double, isBeyondEnd: Bool)? {
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
                return (way.length * sine, along, along > length)
            }
            along += step
        }
        return nil
    }
}
