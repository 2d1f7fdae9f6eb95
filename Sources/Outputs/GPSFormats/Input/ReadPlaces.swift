// SPDX-License-Identifier: MIT
package import GNSS

/// Passes on the waypoints and routes of a file if the output can store them.
///
/// For other outputs, waypoints are dropped, and the points of routes are fixes if the file has no
/// track.
package struct ReadPlaces {
    /// The maximum number of points in a route.
    static let maximumRouteLength = 100_000

    /// Whether the output can store waypoints and routes.
    let isKept: Bool
    /// Whether the file has a fix that is not a point of a route. Then the points of routes are
    /// dropped.
    package var hasTrack = false {
        didSet { if hasTrack, !routes.isEmpty { routes = [] } }
    }
    /// Whether the file has a waypoint.
    var hasWaypoint = false
    /// The points of routes, with the ends of segments. They must be kept until the end of the
    /// file, because they are used only if no track follows.
    private var routes: [InputEvent] = []

    /// Creates an empty collection. `isKept` is `true` if the output can store waypoints and
    /// routes.
    package init(isKept: Bool) {
        self.isKept = isKept
    }

    /// The content of a file without usable positions; see `InputReader.unusableContent`.
    var unusableContent: String? {
        hasWaypoint && !isKept ? "waypoints, but no track and no route" : nil
    }

    /// Adds a waypoint.
    mutating func add(_ waypoint: Waypoint, _ receive: (InputEvent) -> Void) {
        hasWaypoint = true
        if isKept { receive(.waypoint(waypoint)) }
    }

    /// Adds a route. A route without points is ignored.
    package mutating func add(_ route: Route, _ receive: (InputEvent) -> Void) {
        guard !route.points.isEmpty else { return }
        guard !isKept else { return receive(.route(route)) }
        guard hold(.segment) else { return }
        for fix in route.fixes { routes.append(.fix(fix)) }
    }

    /// Holds the beginning or a point of a route until the end of the file. Returns `false` if the
    /// point will not be used as a fix.
    mutating func hold(_ event: InputEvent) -> Bool {
        guard !isKept, !hasTrack, routes.count < Self.maximumRouteLength else { return false }
        routes.append(event)
        return true
    }

    /// Ends the file. Sends the points of routes as fixes if the file contains no track.
    package mutating func finish(_ receive: (InputEvent) -> Void) {
        if !hasTrack { for event in routes { receive(event) } }
        routes = []
    }
}

extension Route {
    /// The points as fixes, for outputs that cannot store routes.
    package var fixes: [Fix] {
        points.map { point in
            var fix = Fix()
            fix.coordinate = point.coordinate
            fix.altitude = point.altitude
            if let time = point.time { fix.set(time: time) }
            fix.complete(mode: nil, quality: nil)
            return fix
        }
    }
}
