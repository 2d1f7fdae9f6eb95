// SPDX-License-Identifier: MIT
package import GNSS
package import GPSFormats
package import SimulatedDevices

/// The points of a GPX file (1.0 or 1.1): those of all tracks or, in a file without tracks, those
/// of all routes.
package struct GPXFile: Sendable {
    /// The name or path that was passed to the initializer.
    package let name: String
    /// The points in the order of the file; at least one.
    package let points: [GPXPoint]

    /// Parses the bytes of a file. `name` is the file's name for errors.
    ///
    /// Throws an error if the file is not GPX, a point is not valid, or there is none.
    package init(_ bytes: [UInt8], name: String = "GPX") throws(InputError) {
        guard var input = XMLInput(file: name, keepsLines: true) else {
            throw InputError(name, "cannot be read: out of memory")
        }
        var fixes: [Fix] = []
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event { fixes.append(fix) }
        }
        try input.push(bytes[...], receive)
        try input.finish(receive)
        guard input.formatName == "GPX" else {
            throw InputError(name, line: 1, "this is \(input.formatName), not GPX")
        }
        points = zip(fixes, input.lines).compactMap { fix, line in
            fix.coordinate.map {
                GPXPoint($0, elevation: fix.altitude, time: fix.time, line: line)
            }
        }
        guard !points.isEmpty else {
            throw InputError(name, "it contains neither a track nor a route")
        }
        self.name = name
    }

    /// Creates a value from the points of a track in another format. Returns `nil` if `points` is
    /// empty.
    package init?(_ points: [GPXPoint], name: String) {
        guard !points.isEmpty else { return nil }
        self.name = name
        self.points = points
    }

    /// Returns a trajectory with the times of the points. If the times go back, as in a file that
    /// begins with its newest track, the parts between are sorted by their first times. Points
    /// without a time, or not later than the previous point, are omitted. Missing elevations are
    /// interpolated.
    ///
    /// Throws an error if no point has a time.
    package func track() throws(InputError) -> RecordedTrack {
        let timed = timedPoints
        guard let start = timed.first?.time else {
            throw InputError(
                name, line: points.first?.line,
                "its points have no times: give a speed")
        }
        return try checked(
            RecordedTrack(Self.points(timed.map(\.point), at: timed.map { $0.time - start })))
    }

    /// The points with a time, in seconds of Unix time. Wherever the times go back, a new part
    /// begins; the parts are sorted by their first times.
    private var timedPoints: [(point: GPXPoint, time: Double)] {
        var parts: [[(point: GPXPoint, time: Double)]] = []
        var previous = Double.infinity
        for point in points {
            // The first fixes of a receiver may have no date yet.
            guard let nanoseconds = point.time?.unixNanoseconds else { continue }
            let time = Double(nanoseconds) / 1e9
            if time < previous { parts.append([]) }
            parts[parts.count - 1].append((point, time))
            previous = time
        }
        return Array(parts.sorted { $0[0].time < $1[0].time }.joined())
    }

    /// Returns a trajectory along the points at a constant speed in metres per second. The times of
    /// the points are ignored.
    ///
    /// Throws an error if the speed is zero, negative or not finite.
    package func track(speed: Double) throws(InputError) -> RecordedTrack {
        guard speed > 0, speed.isFinite else {
            throw InputError(name, "the speed must be above zero, not \(speed)")
        }
        var metres = [0.0]
        for (point, next) in zip(points, points.dropFirst()) {
            let step = point.coordinate.distance(from: next.coordinate)
            metres.append((metres.last ?? 0) + step)
        }
        return try checked(RecordedTrack(Self.points(points, at: metres), speed: speed))
    }

    /// Converts points to `TrackPoint`s. `positions` contains, for each point, its time in seconds
    /// or its distance from the start in metres. Missing elevations are interpolated.
    private static func points(_ points: [GPXPoint], at positions: [Double]) -> [TrackPoint] {
        let altitudes = AltitudeInterpolation.complete(points.map(\.elevation), at: positions)
        return points.indices.map {
            TrackPoint(
                seconds: positions[$0], coordinate: points[$0].coordinate, altitude: altitudes[$0])
        }
    }

    private func checked(_ track: RecordedTrack?) throws(InputError) -> RecordedTrack {
        guard let track else {
            throw InputError(name, "it has no point with a position")
        }
        return track
    }
}

/// A point of a GPX track or route.
package struct GPXPoint: Hashable, Sendable {
    /// The position in degrees (WGS 84).
    package var coordinate: Coordinate
    /// The elevation in metres above mean sea level; `nil` if unknown.
    package var elevation: Double?
    /// The time of the point; `nil` if unknown.
    package var time: UTCTime?
    /// The number of the line in the file at which the point begins, from 1; 0 if unknown.
    package var line: Int

    package init(
        _ coordinate: Coordinate, elevation: Double? = nil, time: UTCTime? = nil, line: Int = 0
    ) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
        self.line = line
    }
}

/// The destinations in a GPX file: the points of its first route that has any or, without such a
/// route, its first waypoint.
package struct GPXWaypoints {
    /// The destinations in order, at least one.
    package let route: [RoutePoint]

    /// Parses the bytes of a file. `name` is the file's name for errors.
    ///
    /// Throws an error if the file is not GPX, one of these points is not valid, or there is none.
    package init(_ bytes: [UInt8], name: String) throws(InputError) {
        let document = WaypointDocument()
        guard let parser = XMLParser(file: name, handler: document, isStrict: true) else {
            throw InputError(name, "cannot be read: out of memory")
        }
        try parser.push(bytes[...], isLast: true)
        guard !document.waypoints.isEmpty else {
            throw InputError(name, "it contains neither a route nor a waypoint")
        }
        route = document.waypoints
    }
}

/// Collects the points of the first route that has any, and the first waypoint, while a file is
/// parsed.
private final class WaypointDocument: XMLHandler {
    /// The maximum number of points of a route, and of bytes of a point's name.
    private static let (maximumRouteLength, maximumNameLength) = (10_000, 256)

    private var isGPX = false
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
