// SPDX-License-Identifier: MIT
import GNSS

/// Collects the waypoints and routes of a GPX file.
struct GPXPlaces {
    private var waypoint: Waypoint?
    private var route: Route?
    /// Whether the current element is in a waypoint or a point of a route, perhaps in one that is
    /// left out.
    private var isInPoint = false

    /// Begins a waypoint, a route or a point of a route. Ignores other elements.
    mutating func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason) {
        switch name {
        case "rte": route = Route()
        case "wpt", "rtept":
            (waypoint, isInPoint) = (nil, true)
            waypoint = Waypoint(try attributes.coordinate())
        default: break
        }
    }

    /// Handles the end of an element. Returns the waypoint or route that it completes; otherwise
    /// `nil`.
    mutating func end(
        _ name: String, _ text: String, _ format: GPXInput
    ) throws(XMLReason) -> InputEvent? {
        if name == "wpt" || name == "rtept" { isInPoint = false }
        switch name {
        case "wpt":
            return exchange(&waypoint, with: nil).map { .waypoint($0) }
        case "rte": return endRoute()
        case "rtept":
            guard let point = waypoint else { return nil }
            guard route?.points.count ?? 0 < ReadPlaces.maximumRouteLength else {
                throw XMLReason("the route has more than \(ReadPlaces.maximumRouteLength) points")
            }
            route?.points.append(point)
            waypoint = nil
        case "ele" where waypoint?.altitude == nil:
            waypoint?.altitude = try format.number(text, "elevation")
        case "time" where waypoint != nil && waypoint?.time == nil:
            waypoint?.time = try format.time(text)
        case "sym" where waypoint?.symbol == nil: waypoint?.symbol = text
        default: describe(name, text, isInExtensions: format.isInExtensions)
        }
        return nil
    }

    /// Ends the route. Returns it with its complete points; `nil` if it has none, or if there is no
    /// route.
    mutating func endRoute() -> InputEvent? {
        defer { route = nil }
        return route.flatMap { $0.points.isEmpty ? nil : .route($0) }
    }

    /// Sets the name or the description of the current waypoint or, if there is none, of the route.
    /// The first name is used, because extensions may contain another one later. A description in
    /// an extension is used only if none precedes it.
    private mutating func describe(_ name: String, _ text: String, isInExtensions: Bool) {
        guard !text.isEmpty, waypoint != nil || !isInPoint else { return }
        switch name {
        case "name":
            if waypoint == nil {
                if route?.name == nil { route?.name = text }
            } else if waypoint?.name == nil {
                waypoint?.name = text
            }
        case "desc":
            let current = waypoint == nil ? route?.description : waypoint?.description
            if isInExtensions, current != nil { return }
            if waypoint != nil { waypoint?.description = text } else { route?.description = text }
        case "cmt" where waypoint?.description == nil: waypoint?.description = text
        default: break
        }
    }
}
