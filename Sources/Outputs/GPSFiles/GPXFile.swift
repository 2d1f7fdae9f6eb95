// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats
import Glibc
package import SimulatedDevices

/// The points of a GPX file (1.0 or 1.1): those of all tracks or, in a file without tracks, those
/// of all routes.
package struct GPXFile: Sendable {
    /// The name or path that was passed to the initializer.
    package let name: String
    /// The points in the order of the file; at least one.
    package let points: [GPXPoint]

    /// Reads a file.
    ///
    /// Throws `.unreadable` if the file cannot be read, and the errors of `init(_:name:)`.
    package init(path: String) throws(GPXError) {
        var reader = try GPXReader(name: path)
        try Self.read(path) { bytes, isLast throws(GPXError) in
            try reader.push(bytes, isLast: isLast)
        }
        try self.init(reader, name: path)
    }

    /// Reads a file and passes its bytes to `push` in chunks. The last chunk is empty. Throws
    /// `.unreadable` if the file cannot be read, and the errors of `push`.
    static func read(
        _ path: String, _ push: (ArraySlice<UInt8>, _ isLast: Bool) throws(GPXError) -> Void
    ) throws(GPXError) {
        let descriptor = open(FileName.native(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            try push(buffer[..<count], count == 0)
            if count == 0 { return }
        }
    }

    /// Parses the bytes of a file. `name` is the file's name for errors.
    ///
    /// Throws `.malformed`, `.notGPX`, `.badPoint` or `.noPoints`, with the line.
    package init(_ bytes: [UInt8], name: String = "GPX") throws(GPXError) {
        var reader = try GPXReader(name: name)
        try reader.push(bytes[...], isLast: true)
        try self.init(reader, name: name)
    }

    /// Creates a value from the points of a track in another format. Returns `nil` if `points` is
    /// empty.
    package init?(_ points: [GPXPoint], name: String) {
        guard !points.isEmpty else { return nil }
        self.name = name
        self.points = points
    }

    private init(_ reader: GPXReader, name: String) throws(GPXError) {
        let points = reader.points
        guard !points.isEmpty else {
            throw GPXError(.noPoints, file: name, "it contains neither a track nor a route")
        }
        self.name = name
        self.points = points
    }

    private static func unreadable(_ path: String, _ number: CInt) -> GPXError {
        GPXError(.unreadable, file: path, "cannot be read: \(String(cString: strerror(number)))")
    }

    /// Returns a trajectory with the times of the points. If the times go back, as in a file that
    /// begins with its newest track, the parts between are sorted by their first times. Points
    /// without a time, or not later than the previous point, are omitted. Missing elevations are
    /// interpolated.
    ///
    /// Throws `.noTimes` if no point has a time.
    package func track() throws(GPXError) -> RecordedTrack {
        let timed = timedPoints
        guard let start = timed.first?.time else {
            throw GPXError(
                .noTimes, file: name, line: points.first?.line,
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
    /// Throws `.badSpeed` if the speed is zero, negative or not finite.
    package func track(speed: Double) throws(GPXError) -> RecordedTrack {
        guard speed > 0, speed.isFinite else {
            throw GPXError(.badSpeed, file: name, "the speed must be above zero, not \(speed)")
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

    private func checked(_ track: RecordedTrack?) throws(GPXError) -> RecordedTrack {
        guard let track else {
            throw GPXError(.noPoints, file: name, "it has no point with a position")
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

extension RecordedTrack {
    /// Reads the track of a GPX file. If `speed` is `nil`, uses the times of its points; otherwise
    /// a constant speed in metres per second.
    ///
    /// Throws the errors of `GPXFile`, such as `.noTimes` if there are neither times nor a speed.
    package init(gpx path: String, speed: Double? = nil) throws(GPXError) {
        let file = try GPXFile(path: path)
        if let speed {
            self = try file.track(speed: speed)
        } else {
            self = try file.track()
        }
    }
}

/// An error when reading a GPX file or using it as a track, with the file and the line.
package struct GPXError: Error, Hashable, CustomStringConvertible {
    /// The kind of error; new kinds may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as a short word, such as `badPoint`.
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file cannot be read.
        package static let unreadable = Code(rawValue: "unreadable")
        /// The file is not well-formed XML.
        package static let malformed = Code(rawValue: "malformed")
        /// The file is XML, but not GPX.
        package static let notGPX = Code(rawValue: "notGPX")
        /// A point has a missing or invalid latitude or longitude, or an invalid elevation or time.
        package static let badPoint = Code(rawValue: "badPoint")
        /// The file contains no usable points.
        package static let noPoints = Code(rawValue: "noPoints")
        /// The points have no times, so a speed is required.
        package static let noTimes = Code(rawValue: "noTimes")
        /// The speed is zero, negative or not finite.
        package static let badSpeed = Code(rawValue: "badSpeed")
    }

    /// The kind of error.
    package let code: Code
    /// The file's name or path as passed by the caller.
    package let file: String
    /// The line number, from 1; `nil` if the error concerns the whole file.
    package let line: Int?
    /// A description of the error, without the file and the line.
    package let reason: String

    init(_ code: Code, file: String, line: Int? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The file, the line and the reason, such as
    /// `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    package var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}

/// Parses a GPX file in chunks and collects its points.
private struct GPXReader {
    private let name: String
    private var input: XMLInput
    private var fixes: [Fix] = []

    init(name: String) throws(GPXError) {
        guard let input = XMLInput(file: name, keepsLines: true) else {
            throw GPXError(.unreadable, file: name, "cannot be read: out of memory")
        }
        self.name = name
        self.input = input
    }

    /// Parses the next bytes.
    mutating func push(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(GPXError) {
        var new: [Fix] = []
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event { new.append(fix) }
        }
        do throws(InputError) {
            try input.push(bytes, receive)
            if isLast { try input.finish(receive) }
        } catch {
            let code: GPXError.Code =
                !input.isWellFormed ? .malformed : input.formatName == "GPX" ? .badPoint : .notGPX
            throw GPXError(code, file: name, line: error.line, error.reason)
        }
        fixes += new
        guard !isLast || input.formatName == "GPX" else {
            throw GPXError(.notGPX, file: name, line: 1, "this is \(input.formatName), not GPX")
        }
    }

    /// The points of all tracks or, in a file without tracks, of all routes.
    var points: [GPXPoint] {
        zip(fixes, input.lines).compactMap { fix, line in
            fix.coordinate.map {
                GPXPoint($0, elevation: fix.altitude, time: fix.time, line: line)
            }
        }
    }
}

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
