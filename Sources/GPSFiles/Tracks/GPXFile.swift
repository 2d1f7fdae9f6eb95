// SPDX-License-Identifier: MIT
import GNSS
import Glibc
public import SimulatedDevices

/// A GPX file (1.0 or 1.1): the points of all its tracks, or, if it has no track, of its routes.
public struct GPXFile: Sendable {
    /// The file's name as given.
    public let name: String
    /// The points in the order of the file, at least one.
    public let points: [GPXPoint]

    /// Reads a file.
    ///
    /// Throws `.unreadable`, and the errors of `init(_:name:)`.
    public init(path: String) throws(GPXError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        defer { close(descriptor) }
        var reader = try GPXReader(name: path)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(path, errno) }
            try reader.push(buffer[..<count], isLast: count == 0)
            if count == 0 { break }
        }
        try self.init(reader, name: path)
    }

    /// Parses a file's bytes; `name` is its name in errors.
    ///
    /// Throws `.malformed`, `.notGPX`, `.badPoint` or `.noPoints`, with the line.
    public init(_ bytes: [UInt8], name: String = "GPX") throws(GPXError) {
        var reader = try GPXReader(name: name)
        try reader.push(bytes[...], isLast: true)
        try self.init(reader, name: name)
    }

    /// Creates a file from the points of a track in another format; `nil` if there are none.
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

    /// The track at the file's times. Points without a time, or not later than the one before, are
    /// omitted; a missing elevation is interpolated between the neighbours.
    ///
    /// Throws `.noTimes` if no point has a time.
    public func track() throws(GPXError) -> RecordedTrack {
        // The first fixes of a receiver may have no date yet.
        let timed = points.filter { $0.time != nil }
        let times = timed.compactMap { $0.time.map { Double($0.unixNanoseconds) / 1e9 } }
        guard let start = times.first else {
            throw GPXError(
                .noTimes, file: name, line: points.first?.line,
                "its points have no times: give a speed")
        }
        return try checked(RecordedTrack(Self.points(timed, at: times.map { $0 - start })))
    }

    /// The track at a constant speed in metres per second; times are ignored.
    ///
    /// Throws `.badSpeed` if the speed is not above zero.
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

    /// Returns the points with altitudes, at positions along the track in seconds or metres.
    private static func points(_ points: [GPXPoint], at places: [Double]) -> [TrackPoint] {
        let altitudes = AltitudeInterpolation.complete(points.map(\.elevation), at: places)
        return points.indices.map {
            TrackPoint(
                seconds: places[$0], coordinate: points[$0].coordinate, altitude: altitudes[$0])
        }
    }

    private func checked(_ track: RecordedTrack?) throws(GPXError) -> RecordedTrack {
        guard let track else {
            throw GPXError(.noPoints, file: name, "it has no point with a position")
        }
        return track
    }
}
