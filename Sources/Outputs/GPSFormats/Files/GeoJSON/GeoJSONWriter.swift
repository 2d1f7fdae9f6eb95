// SPDX-License-Identifier: MIT
import GNSS

/// A format that writes GeoJSON. Waypoints are points and routes are lines, both with the property
/// `kind`.
protocol GeoJSONWriter: TextFormat {
    /// Writes the separator before a feature.
    mutating func beginFeature()
}

extension GeoJSONWriter {
    /// Always `true`: waypoints and routes can be stored.
    public static var hasWaypoints: Bool { true }

    /// Writes a waypoint. Returns `false` if its position is invalid.
    public mutating func write(_ waypoint: Waypoint) -> Bool {
        guard waypoint.coordinate.isValid else { return false }
        beginFeature()
        GeoJSONFeature.write(waypoint, to: &text)
        return true
    }

    /// Writes a route. Returns `false` if one of its positions is invalid.
    public mutating func write(_ route: Route) -> Bool {
        guard route.points.allSatisfy(\.coordinate.isValid) else { return false }
        beginFeature()
        GeoJSONFeature.write(route, to: &text)
        return true
    }
}
