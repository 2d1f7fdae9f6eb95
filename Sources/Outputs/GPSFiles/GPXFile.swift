// SPDX-License-Identifier: MIT
public import GNSS
import Glibc
public import SimulatedDevices

/// The points of a GPX file (1.0 or 1.1): those of all tracks or, in a file without tracks, those
/// of all routes.
public struct GPXFile: Sendable {
    /// The name or path that was passed to the initializer.
    public let name: String
    /// The points in the order of the file; at least one.
    public let points: [GPXPoint]

    /// Reads a file.
    ///
    /// Throws `.unreadable` if the file cannot be read, and the errors of `init(_:name:)`.
    public init(path: String) throws(GPXError) {
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
    public init(_ bytes: [UInt8], name: String = "GPX") throws(GPXError) {
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
    public func track() throws(GPXError) -> RecordedTrack {
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
    public func track(speed: Double) throws(GPXError) -> RecordedTrack {
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
public struct GPXPoint: Hashable, Sendable {
    /// The position in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The elevation in metres above mean sea level; `nil` if unknown.
    public var elevation: Double?
    /// The time of the point; `nil` if unknown.
    public var time: UTCTime?
    /// The number of the line in the file at which the point begins, from 1; 0 if unknown.
    public var line: Int

    /// Creates a point.
    public init(
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
    public init(gpx path: String, speed: Double? = nil) throws(GPXError) {
        let file = try GPXFile(path: path)
        if let speed {
            self = try file.track(speed: speed)
        } else {
            self = try file.track()
        }
    }
}
