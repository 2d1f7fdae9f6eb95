// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats

/// The destinations in a GPX file: the points of its first route that has any or, without such a
/// route, its first waypoint.
package struct GPXWaypoints {
    /// The destinations in order, at least one.
    package let route: [RoutePoint]

    /// Reads a file.
    ///
    /// Throws `.unreadable`, `.malformed`, `.notGPX`, `.badPoint` or `.noPoints`.
    package init(path: String) throws(GPXError) {
        let document = WaypointDocument()
        guard let parser = XMLParser(file: path, handler: document, isStrict: true) else {
            throw GPXError(.unreadable, file: path, "cannot be read: out of memory")
        }
        try GPXFile.read(path) { bytes, isLast throws(GPXError) in
            do throws(InputError) {
                try parser.push(bytes, isLast: isLast)
            } catch {
                let code: GPXError.Code =
                    !parser.isWellFormed ? .malformed : document.isGPX ? .badPoint : .notGPX
                throw GPXError(code, file: path, line: error.line, error.reason)
            }
        }
        guard !document.waypoints.isEmpty else {
            throw GPXError(.noPoints, file: path, "it contains neither a route nor a waypoint")
        }
        route = document.waypoints
    }
}

/// Collects the points of the first route that has any, and the first waypoint, while a file is
/// parsed.
private final class WaypointDocument: XMLHandler {
    /// The maximum number of points of a route, and of bytes of a point's name.
    private static let (maximumRouteLength, maximumNameLength) = (10_000, 256)

    private(set) var isGPX = false
    private var first: RoutePoint?
    private var route: [RoutePoint] = []
    /// Whether the route with the collected points has ended.
    private var isRouteOver = false
    private var point: RoutePoint?
    private var name: [UInt8]?

    var waypoints: [RoutePoint] { route.isEmpty ? first.map { [$0] } ?? [] : route }

    func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason) {
        guard isGPX else {
            guard name == "gpx" else {
                throw XMLReason("this is not GPX: it begins with <\(name)>")
            }
            return isGPX = true
        }
        switch name {
        case "rtept" where !isRouteOver, "wpt" where first == nil:
            point = RoutePoint(try attributes.coordinate())
        case "name" where point != nil && point?.name == nil: self.name = []
        default: break
        }
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) {
        guard let count = name?.count else { return }
        name?.append(contentsOf: characters.prefix(max(0, Self.maximumNameLength - count)))
    }

    func end(_ name: String) throws(XMLReason) {
        if name == "name", let bytes = self.name {
            let text = String(decoding: bytes, as: UTF8.self).trimmed
            point?.name = text.isEmpty ? nil : text
            self.name = nil
        }
        if name == "rte" { isRouteOver = !route.isEmpty }
        guard let point, name == "rtept" || name == "wpt" else { return }
        self.point = nil
        if name == "wpt" { return first = point }
        guard route.count < Self.maximumRouteLength else {
            throw XMLReason("the route has more than \(Self.maximumRouteLength) points")
        }
        route.append(point)
    }
}
