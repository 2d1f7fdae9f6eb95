// SPDX-License-Identifier: MIT
import Figures
public import GNSS

/// GPX 1.1: a track for every source, a segment for every stretch without a gap.
///
/// Speed and course are Garmin's `TrackPointExtension`, version 2: GPX itself has no place for them.
public struct GPXFormat: OutputFormat {
    /// `gpx`.
    public static let name = "gpx"
    /// GPX's own.
    public static let fileExtensions = ["gpx"]
    /// What it is.
    public static let summary = "GPX 1.1, tracks with a segment for every stretch without a gap"

    private static let head = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="gpsbridge" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
        xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
        http://www.topografix.com/GPX/1/1/gpx.xsd">

        """.utf8)
    private static let segmentBreak = Array("</trkseg><trkseg>\n".utf8)
    private static let trackEnd = Array("</trkseg></trk>\n".utf8)
    private static let end = Array("</gpx>\n".utf8)
    /// More than a point takes.
    private static let longestPoint = 800

    private enum State {
        case empty
        case betweenTracks
        case inTrack(isSimulated: Bool)
    }

    private var lines = JSONLines()
    private var state = State.empty
    private var beginsSegment = false
    private var source = OutputSource()

    /// Makes a writer.
    public init() {}

    // MARK: Tracks

    /// Begins a track with the next fix.
    public mutating func begin(_ source: OutputSource) {
        self.source = source
        switch state {
        case .empty: put(Self.head)
        case .betweenTracks: break
        case .inTrack: put(Self.trackEnd)
        }
        state = .betweenTracks
    }

    /// Begins a segment with the next fix.
    public mutating func beginSegment() {
        beginsSegment = true
    }

    private mutating func beginPoint(_ isSimulated: Bool) {
        if case .inTrack(isSimulated) = state {
            if beginsSegment { put(Self.segmentBreak) }
        } else {
            if case .inTrack = state { put(Self.trackEnd) }
            beginTrack(isSimulated)
        }
        beginsSegment = false
    }

    private mutating func beginTrack(_ isSimulated: Bool) {
        let name = (isSimulated ? "SIMULATED " : "") + source.name
        let origin = source.word(simulated: isSimulated)
        let text = XMLText.escaped(name)
        let head =
            Array("<trk><name>".utf8) + text
            + Array("</name><desc>origin: \(origin)</desc><trkseg>\n".utf8)
        put(head)
        state = .inTrack(isSimulated: isSimulated)
    }

    /// Writes a whole line.
    private mutating func put(_ text: [UInt8]) {
        lines.line(atMost: text.count) { $0.put(text.span.extracting(droppingLast: 1)) }
    }

    /// The ends of all that is open.
    public var closing: [UInt8] {
        if case .inTrack = state { return Self.trackEnd + Self.end }
        return Self.end
    }

    /// Goes on behind the last whole point.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard head.count >= Self.head.count else {
            return Self.head.starts(with: head) ? 0 : nil
        }
        guard head.starts(with: Self.head) else { return nil }
        var lines = FileEnd(end)
        while lines.lastLineBegins("</gpx>") || lines.lastLineBegins("</trkseg></trk>") {
            lines.dropLine()
        }
        if lines.lastLineBegins("<trkpt ") || lines.lastLineBegins("<trk>")
            || lines.lastLineBegins("</trkseg><trkseg>")
        {
            state = .inTrack(isSimulated: false)
        } else if lines.lastLineBegins("<gpx ") {
            state = .betweenTracks
        } else {
            return nil
        }
        return lines.kept
    }

    /// Hands over what was written, and forgets it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(lines.bytes)
        lines.removeAll()
    }

    // MARK: Points

    /// Writes a point; one without a date has no time.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginPoint(source.isSimulated(fix))
        lines.line(atMost: Self.longestPoint) { text in
            text.put(.pointLatitude)
            text.degrees(position.latitude)
            text.put(.pointLongitude)
            text.degrees(position.wrappedLongitude)
            text.put(.pointHeadEnd)
            text.gpxPoint(fix)
            text.put(.pointEnd)
        }
    }
}

extension JSONPiece {
    fileprivate static let pointLatitude: JSONPiece = #"<trkpt lat=""#
    fileprivate static let pointLongitude: JSONPiece = #"" lon=""#
    fileprivate static let pointHeadEnd: JSONPiece = #"">"#
    fileprivate static let pointEnd: JSONPiece = "</trkpt>"
}
