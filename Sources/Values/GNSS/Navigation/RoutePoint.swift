// SPDX-License-Identifier: MIT

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
    package var title: String { waypoint.name ?? "waypoint \(number)" }

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
