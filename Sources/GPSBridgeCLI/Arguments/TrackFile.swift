// SPDX-License-Identifier: MIT
import Devices
import GPXTracks
import SimulatedDevices

/// A file to simulate a track from: GPX, or recorded NMEA.
struct TrackFile {
    /// Metres per second where neither an option nor the file gives a speed.
    private static let usualSpeed = 10.0

    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The trajectory, at the times of the file or at a speed in metres per second. A track without times
    /// is followed at 10 m/s, which is reported.
    ///
    /// Throws a `DeviceError` where the file cannot be read, and a `GPXError` or a `UsageError` where
    /// it is no track.
    func trajectory(speed: Double?) throws -> any Trajectory {
        let bytes = try bytes()
        if Self.isXML(bytes) {
            let file = try GPXFile(bytes, name: path)
            if let speed { return try file.track(speed: speed) }
            if file.points.contains(where: { $0.time != nil }) { return try file.track() }
            StandardError.say(
                "\(path) has no times: it is followed at \(Number.short(Self.usualSpeed)) m/s (--speed)"
            )
            return try file.track(speed: Self.usualSpeed)
        }
        guard speed == nil else {
            throw UsageError("--speed is for GPX: a recording has its own (or see --accelerate)")
        }
        guard let track = RecordedTrack(nmea: bytes) else {
            throw UsageError("there is no track in \(path): it is no GPX, and has no position")
        }
        return track
    }

    /// A limit, since some files have no end.
    private static let mostBytes = 256 << 20

    /// The whole file.
    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let file = try file()
        while let count = try file.read(into: &buffer) {
            bytes += buffer[..<count]
            guard bytes.count <= Self.mostBytes else {
                throw UsageError("\(path) has more than \(Self.mostBytes >> 20) MiB: cut it")
            }
        }
        return bytes
    }

    private func file() throws -> Recording {
        do {
            return try Recording(path)
        } catch let error as DeviceError where error.code == .notFound {
            throw UsageError("there is no file \(path)")
        }
    }

    /// Whether it begins as XML does, perhaps behind a byte order mark.
    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let marks: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
        return bytes.first { !marks.contains($0) } == UInt8(ascii: "<")
    }
}
