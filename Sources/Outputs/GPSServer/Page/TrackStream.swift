// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO

/// A response body with tracks in a file format. They are encoded in steps, as fast as the client
/// accepts them.
// Safety: used on the HTTP server's thread only, as are all streams.
final class TrackStream: HTTPStream, @unchecked Sendable {
    /// The number of fixes encoded in one step. Other clients are served between steps.
    private static let stride = 200

    /// The formats and their media types, keyed by the value of the `format` parameter.
    static let kinds: [String: (format: any OutputFormat.Type, contentType: String)] = [
        "json": (GPSDFormat.self, "application/x-ndjson"),
        "gpx": (GPXFormat.self, "application/gpx+xml"),
        "kml": (KMLFormat.self, "application/vnd.google-earth.kml+xml"),
        "geojson": (GeoJSONFormat.self, "application/geo+json"),
        "csv": (CSVFormat.self, "text/csv; charset=utf-8"),
    ]

    /// The maximum duration of a download. After it, the connection is aborted.
    private static let timeLimit = Duration.seconds(300)

    private let poller: Poller
    private let permit: StreamLimit.Permit
    private let deadline: MonotonicInstant
    private(set) var isBrokenOff = false
    private var tracks: [(source: OutputSource, fixes: ArraySlice<RecentFix>)]
    private var format: any OutputFormat
    private var hasBegun = false
    private var isClosed = false
    private var pending: ArraySlice<UInt8> = []

    /// Creates a stream of tracks, one for each receiver. `permit` is held until the stream is
    /// released.
    init(
        _ tracks: [(source: OutputSource, fixes: ArraySlice<RecentFix>)],
        _ format: any OutputFormat.Type, _ permit: StreamLimit.Permit, _ poller: Poller
    ) {
        self.permit = permit
        self.poller = poller
        deadline = poller.now + Self.timeLimit
        self.tracks = tracks
        self.format = format.init()
    }

    func begin(resume: @escaping @Sendable () -> Void) {}

    func end() {
        tracks = []
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard poller.now < deadline else {
            isBrokenOff = true
            return nil
        }
        while pending.isEmpty {
            guard !isClosed else { return nil }
            write()
        }
        let count = min(room.count, pending.count)
        room.copyBytes(from: pending.prefix(count))
        pending = pending.dropFirst(count)
        return count
    }

    /// Encodes the next `stride` fixes or, after the last fix, the end of the file.
    private func write() {
        if tracks.isEmpty {
            pending += format.closing
            isClosed = true
            return
        }
        if !hasBegun {
            format.begin(tracks[0].source)
            hasBegun = true
        }
        for fix in tracks[0].fixes.prefix(Self.stride) {
            if fix.beginsSegment { format.beginSegment() }
            format.write(fix.fix)
        }
        tracks[0].fixes = tracks[0].fixes.dropFirst(Self.stride)
        if tracks[0].fixes.isEmpty {
            tracks.removeFirst()
            hasBegun = false
        }
        format.drain { bytes in pending += bytes.withUnsafeBytes { Array($0) } }
    }
}
