// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats

/// The destinations in a GPX file: the points of its first route that has any or, without such a
/// route, its first waypoint.
package struct GPXWaypoints {
    /// The maximum number of points of a route, and of bytes of a point's name.
    private static let (maximumRouteLength, maximumNameLength) = (10_000, 256)

    /// The destinations in order, at least one.
    package let route: [RoutePoint]

    /// Reads a file.
    ///
    /// Throws `.unreadable`, `.malformed`, `.notGPX`, `.badPoint` or `.noPoints`.
    package init(path: String) throws(GPXError) {
        var reader = try GPXReader(name: path, keepsWaypoints: true)
        var first: (waypoint: Waypoint?, route: Route?)
        try reader.readFile { event in
            switch event {
            case .waypoint(let waypoint): first.waypoint = first.waypoint ?? waypoint
            case .route(let route): first.route = first.route ?? route
            case .fix, .satellites, .segment: break
            }
        }
        let points = first.route?.points ?? first.waypoint.map { [$0] } ?? []
        guard !points.isEmpty else {
            throw GPXError(.noPoints, file: path, "it contains neither a route nor a waypoint")
        }
        guard points.count <= Self.maximumRouteLength else {
            throw GPXError(
                .badPoint, file: path,
                "the route has more than \(Self.maximumRouteLength) points")
        }
        route = points.map { point in
            let name = point.name?.utf8.prefix(Self.maximumNameLength)
            return RoutePoint(
                point.coordinate, name: name.map { String(decoding: $0, as: UTF8.self) })
        }
    }
}
