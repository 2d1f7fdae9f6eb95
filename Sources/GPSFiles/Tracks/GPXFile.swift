// SPDX-License-Identifier: MIT
import GNSS
import Glibc
public import SimulatedDevices

/// A GPX file (1.0 or 1.1): the points of its tracks, one track after the other, or where it has
/// none those of its routes.
public struct GPXFile: Sendable {
    /// As it was named.
    public let name: String
    /// In the order of the file, at least one.
    public let points: [GPXPoint]

    /// Reads a file.
    ///
    /// Throws `.unreadable`, and what `init(_:name:)` throws.
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

    /// Reads a file's bytes; `name` is what errors call it.
    ///
    /// Throws `.malformed`, `.notGPX`, `.badPoint` or `.noPoints`, with the line.
    public init(_ bytes: [UInt8], name: String = "GPX") throws(GPXError) {
        var reader = try GPXReader(name: name)
        try reader.push(bytes[...], isLast: true)
        try self.init(reader, name: name)
    }

    /// The points of a track in another format, at least one.
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

    /// The track as it was gone, from the first time on. Points without a time, and those not later
    /// than the one before, are left out; one without an elevation lies between those beside it.
    ///
    /// Throws `.noTimes` where no point has a time.
    public func track() throws(GPXError) -> RecordedTrack {
        // A receiver's first fixes have no date yet.
        let timed = points.filter { $0.time != nil }
        let times = timed.compactMap { $0.time.map { Double($0.unixNanoseconds) / 1e9 } }
        guard let start = times.first else {
            throw GPXError(
                .noTimes, file: name, line: points.first?.line,
                "its points have no times; a speed has to be given")
        }
        return try checked(RecordedTrack(Self.points(timed, at: times.map { $0 - start })))
    }

    /// The track at a steady speed, in metres per second; times do not count.
    ///
    /// Throws `.badSpeed` where it is not above zero.
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

    /// The points with altitudes, at places that are seconds or metres.
    private static func points(_ points: [GPXPoint], at places: [Double]) -> [TrackPoint] {
        let altitudes = AltitudeInterpolation.complete(points.map(\.elevation), at: places)
        return points.indices.map {
            TrackPoint(
                seconds: places[$0], coordinate: points[$0].coordinate, altitude: altitudes[$0])
        }
    }

    private func checked(_ track: RecordedTrack?) throws(GPXError) -> RecordedTrack {
        guard let track else { throw GPXError(.noPoints, file: name, "it has no point to be at") }
        return track
    }
}
