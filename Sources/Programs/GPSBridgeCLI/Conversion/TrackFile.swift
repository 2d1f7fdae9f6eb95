// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSReceivers
import NMEA
import SimulatedDevices

/// A file with a track to simulate, in any format that `convert` reads.
struct TrackFile {
    /// The default speed in metres per second, for a file without times.
    private static let defaultSpeed = 10.0

    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Returns the trajectory: at the constant `speed` in metres per second or, if that is `nil`,
    /// with the times of the file. A track without times is followed at 10 m/s, and a message
    /// reports that.
    ///
    /// - Throws: `DeviceError` if the file cannot be read, and `InputError` or `UsageError` if it
    ///   contains no track.
    func trajectory(speed: Double?) throws -> any Trajectory {
        let bytes = try bytes()
        switch format(of: bytes) {
        case nil:
            guard speed == nil else {
                throw UsageError(
                    "--speed is for tracks: a recording has its own speed (see also --accelerate)")
            }
            return try recording(bytes)
        case "GPX", "XML": return try track(of: try GPXFile(bytes, name: path), speed)
        default:
            let fixes = try fixes(in: bytes)
            let isDated = fixes.contains { $0.time != nil }
            if speed == nil, !isDated, fixes.contains(where: { $0.timeOfDay != nil }) {
                var writer = SentenceWriter()
                for fix in fixes { writer.write(fix) }
                return try recording(writer.bytes)
            }
            let points = fixes.compactMap { fix in
                fix.coordinate.map { GPXPoint($0, elevation: fix.altitude, time: fix.time) }
            }
            guard let file = GPXFile(points, name: path) else { throw noTrack }
            return try track(of: file, speed)
        }
    }

    private func recording(_ sentences: [UInt8]) throws -> RecordedTrack {
        guard let track = RecordedTrack(nmea: sentences) else { throw noTrack }
        return track
    }

    private var noTrack: UsageError {
        UsageError(
            "\(path) contains no track: give a file with positions, in a format that "
                + "`gpsbridge convert` reads")
    }

    private func track(of file: GPXFile, _ speed: Double?) throws -> RecordedTrack {
        if let speed { return try file.track(speed: speed) }
        if file.points.contains(where: { $0.time != nil }) { return try file.track() }
        StandardError.print(
            "\(path) has no times, so the receiver follows it at "
                + "\(Number.short(Self.defaultSpeed)) m/s: use --speed for another speed")
        return try file.track(speed: Self.defaultSpeed)
    }

    /// Returns the name of the format; `nil` for NMEA and unknown formats.
    private func format(of bytes: [UInt8]) -> String? {
        var input = RecordedInput(name: path)
        // These bytes are not marked as the last ones: sentences may follow objects of gpsd that
        // are longer. Errors are reported when the whole file is read.
        try? input.push(bytes.prefix(4096), sentences: { _ in }, { _ in })
        return input.formatName
    }

    /// Returns the fixes in a file that is neither NMEA nor GPX.
    private func fixes(in bytes: [UInt8]) throws -> [Fix] {
        var input = RecordedInput(name: FileName.shown(path))
        var fixes: [Fix] = []
        try input.push(bytes[...], isLast: true, sentences: { _ in }) { event in
            if case .fix(let fix, _) = event { fixes.append(fix) }
        }
        if let warning = input.warning {
            StandardError.printWarning(warning, in: path)
        }
        return fixes
    }

    /// The maximum file size in bytes. Devices such as /dev/zero are endless.
    private static let sizeLimit = 256 << 20

    /// Reads and decompresses the whole file.
    ///
    /// - Throws: `UsageError` if the file does not exist or its content exceeds `sizeLimit`, and
    /// the errors of `Recording`.
    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let file = try file()
        while let count = try file.read(into: &buffer) {
            bytes += buffer[..<count]
            guard bytes.count <= Self.sizeLimit else {
                throw UsageError(
                    "\(path) is larger than \(Self.sizeLimit >> 20) MiB: use a part of it")
            }
        }
        return bytes
    }

    private func file() throws -> Recording {
        try Recording(path)
    }
}

/// Reads the waypoints and routes of a file before a conversion reads its fixes.
struct PlaceReader {
    private static let chunk = 1 << 16

    private let recording: Recording
    private var input: RecordedInput
    private var buffer = [UInt8](repeating: 0, count: PlaceReader.chunk)
    private var isOver = false

    /// Creates a reader. Returns `nil` if the recording cannot be read twice (a pipe), or is plain
    /// NMEA, which contains no waypoints or routes.
    init?(_ recording: Recording) {
        guard Self.canRead(recording) else { return nil }
        self.recording = recording
        input = RecordedInput(name: FileName.shown(recording.name), keepsWaypoints: true)
    }

    /// Returns whether a recording can be read twice, and may contain waypoints or routes.
    static func canRead(_ recording: Recording) -> Bool {
        recording.size != nil && recording.name != "-" && recording.sentenceSource == nil
    }

    /// Returns the waypoints and routes in the next bytes. At the end, or if the format turns out
    /// to store neither, rewinds the recording and returns `nil`. Damage is treated as the end,
    /// because the conversion of the fixes reports it later.
    ///
    /// - Throws: `CancellationError` on a signal.
    mutating func next() throws -> [InputEvent]? {
        guard !isOver, input.mayHavePlaces else {
            recording.rewind()
            return nil
        }
        var places: [InputEvent] = []
        func receive(_ event: InputEvent) {
            switch event {
            case .waypoint, .route: places.append(event)
            case .fix, .satellites, .segment, .track: break
            }
        }
        do {
            let count = try recording.read(into: &buffer)
            isOver = count == nil
            try input.push(
                buffer[..<(count ?? 0)], isLast: isOver, sentences: { _ in }, receive)
        } catch let error as CancellationError {
            throw error
        } catch is Recording.DamageError {
            isOver = true
            // The damage is the reason for any error in the rest.
            try? input.push([], isCutOff: true, sentences: { _ in }, receive)
        } catch {
            isOver = true
        }
        return places
    }
}
