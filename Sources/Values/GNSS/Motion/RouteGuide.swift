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

/// A waypoint of a route.
package struct RoutePoint: Hashable, Sendable {
    /// The name; `nil` if the waypoint has none.
    package var name: String?
    /// The position of the waypoint.
    package var coordinate: Coordinate

    /// Creates a waypoint.
    package init(_ coordinate: Coordinate, name: String? = nil) {
        self.coordinate = coordinate
        self.name = name
    }
}

/// The direction and distance to the current waypoint of a route.
package struct WaypointState: Hashable, Sendable {
    /// The waypoint to which the values refer.
    package let waypoint: RoutePoint
    /// The number of the waypoint in the route, from 1.
    package let number: Int
    /// The number of waypoints in the route.
    package let count: Int
    /// The distance to the waypoint in metres; `nil` without a position.
    package internal(set) var distance: Double?
    /// The direction to the waypoint in degrees true; `nil` without a position, and at the
    /// waypoint.
    package internal(set) var bearing: Double?
    /// The component of the speed towards the waypoint in metres per second, negative away from it;
    /// `nil` without a speed or a course.
    package internal(set) var velocityMadeGood: Double?
    /// The time to the waypoint at `velocityMadeGood`, in seconds; `nil` unless that is above 0.1
    /// m/s.
    package internal(set) var timeToGo: Double?
    /// The distance from the line of the leg in metres, positive to the right; `nil` without a
    /// position.
    package internal(set) var crossTrackError: Double?
    /// Whether the last waypoint of the route has been reached.
    package internal(set) var hasArrived = false

    init(_ waypoint: RoutePoint, number: Int, count: Int) {
        (self.waypoint, self.number, self.count) = (waypoint, number, count)
    }

    /// The name of the waypoint, or `waypoint 3` if it has none.
    var title: String { waypoint.name ?? "waypoint \(number)" }

    /// The way to the waypoint as text: `to A: 2.925 km, bearing 72`; `nil` without a position.
    package func way(in units: Units) -> String? {
        distance.map { distance in
            let direction = bearing.map { ", bearing \(String(direction: $0, decimals: 0))" } ?? ""
            return "to \(title): \(units.distance(distance))" + direction
        }
    }

    /// Adds the members of a `TPV` report that describe the way to the waypoint.
    package func add(to object: inout JSONObject) {
        object.add("waypointName", waypoint.name?.prefix(utf8: String.maximumGPSDLength))
        object.add("waypointNumber", number)
        object.add("waypointCount", count)
        object.add("waypointLatitude", waypoint.coordinate.latitude, decimals: 9)
        object.add("waypointLongitude", waypoint.coordinate.longitude, decimals: 9)
        object.add("waypointDistance", distance, decimals: 1)
        object.add("waypointBearing", bearing?.direction(decimals: 1), decimals: 1)
        object.add("waypointVelocityMadeGood", velocityMadeGood, decimals: 2)
        object.add("waypointTimeToGo", timeToGo, decimals: 0)
        object.add("waypointCrossTrackError", crossTrackError, decimals: 1)
        if hasArrived { object.add("waypointArrived", true) }
    }
}

/// The state of an anchor watch, and the direction and distance to a waypoint.
package struct Navigation: Hashable, Sendable {
    /// The state of the anchor watch; `nil` without one.
    package internal(set) var anchor: AnchorState?
    /// The direction and distance to the current waypoint; `nil` without a route.
    package internal(set) var waypoint: WaypointState?
    /// Messages for the user about changes that the last fix caused.
    package internal(set) var messages: [String] = []

    /// Adds the members of a `TPV` report that describe the anchor watch and the waypoint. No name
    /// is `lat` or `lon`, which programs that search the report's text would take for the
    /// receiver's position.
    package func add(to object: inout JSONObject) {
        anchor?.add(to: &object)
        waypoint?.add(to: &object)
    }
}

/// Runs an anchor watch and a route guide, one fix at a time.
package struct Navigator: Sendable {
    /// The anchor circle and the route given by the user.
    package struct Settings: Hashable, Sendable {
        /// The circle of an anchor watch; `nil` for none.
        package var circle: AnchorCircle?
        /// The waypoints in order; empty for none.
        package var route: [RoutePoint] = []
        /// The time without any fix, in seconds, after which the anchor watch raises an alarm
        /// because it has no position.
        package var startLimit = AnchorWatch.settingLimit

        /// Creates settings without an anchor watch and without a route.
        package init() {}
    }

    private var watch: AnchorWatch?
    private var guide: RouteGuide?
    /// Whether a message has already reported the accuracy that the anchor watch waits for. The
    /// message is sent only once.
    private var hasReportedWait = false

    package init(_ settings: Settings) {
        watch = settings.circle.map { AnchorWatch($0) }
        guide = RouteGuide(settings.route)
    }

    /// Adds a fix and returns the new state. `seconds` is the current time of a clock with any
    /// origin, and `time` is the UTC time; `nil` if unknown.
    package mutating func receive(_ fix: Fix, at seconds: Double, time: UTCTime?) -> Navigation {
        let former = watch?.state
        watch?.receive(fix, at: seconds, time: time)
        let arrival = guide?.receive(fix)
        return navigation(after: former, [arrival].compactMap(\.self))
    }

    /// Reports that the receiver is lost or sends no data, and returns the new state. `reason`
    /// becomes the cause of an anchor alarm; if it is `nil`, there is no alarm.
    package mutating func didLosePosition(_ reason: String?, time: UTCTime?) -> Navigation {
        let former = watch?.state
        watch?.didLosePosition(reason, time: time)
        guide?.forgetPosition()
        return navigation(after: former, [])
    }

    private mutating func navigation(
        after former: AnchorState?, _ messages: [String]
    ) -> Navigation {
        let anchor = watch?.state
        let waits = anchor?.condition == .setting && anchor?.reason != nil && !hasReportedWait
        if waits { hasReportedWait = true }
        let change = anchor.flatMap {
            $0.condition == former?.condition && !waits ? nil : $0.summary
        }
        return Navigation(
            anchor: anchor, waypoint: guide?.state, messages: [change].compactMap(\.self) + messages
        )
    }
}
