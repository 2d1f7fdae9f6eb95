// SPDX-License-Identifier: MIT
import Figures
public import GNSS

/// KML 2.2 with Google's `gx:Track`, where every position has its time; positions without a date
/// become a `LineString`.
///
/// A `gx:Track` lists all its times before its positions. A segment is therefore a `gx:MultiTrack`
/// of short tracks, between which is interpolated: so nothing but the last of them is in memory.
public struct KMLFormat: OutputFormat {
    /// `kml`.
    public static let name = "kml"
    /// KML's own.
    public static let fileExtensions = ["kml"]
    /// What it is.
    public static let summary = "KML with gx:Track, for Google Earth and many others"

    /// Positions of one `gx:Track`.
    private static let longestTrack = 1024
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" \
        xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>

        """
    private static let end = "</Document></kml>\n"
    private static let trackEnd = "</gx:Track>\n"
    private static let segmentEnd = "</gx:MultiTrack></Placemark>\n"
    private static let lineEnd = "</coordinates></LineString></Placemark>\n"

    /// What all positions of a stretch have in common.
    private struct Kind: Equatable {
        var isSimulated: Bool
        var isDated: Bool
    }

    private enum State: Equatable {
        case empty
        case betweenSegments
        case inLine(Kind)
        case inSegment(Kind)
        case inTrack(Kind, hasAltitude: Bool, count: Int)
    }

    private var lines = JSONLines()
    /// The positions of the track whose times are being written.
    private var positions = JSONLines()
    private var state = State.empty
    private var source = OutputSource()

    /// Makes a writer.
    public init() {}

    // MARK: Segments

    /// Begins a segment with the next fix.
    public mutating func begin(_ source: OutputSource) {
        if state == .empty { put(Self.head) } else { endSegment() }
        state = .betweenSegments
        self.source = source
    }

    /// Begins a segment with the next fix.
    public mutating func beginSegment() {
        endSegment()
    }

    private mutating func beginSegment(_ kind: Kind) {
        let name = (kind.isSimulated ? "SIMULATED " : "") + source.name
        let origin = source.word(simulated: kind.isSimulated)
        let text = String(decoding: XMLText.escaped(name), as: UTF8.self)
        let head = "<Placemark><name>\(text)</name><description>origin: \(origin)</description>"
        if kind.isDated {
            put(head + "<gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n")
            state = .inSegment(kind)
        } else {
            put(head + "<LineString><coordinates>\n")
            state = .inLine(kind)
        }
    }

    private mutating func endTrack() {
        guard case .inTrack(let kind, _, _) = state else { return }
        Self.move(&positions, to: &lines)
        put(Self.trackEnd)
        state = .inSegment(kind)
    }

    private mutating func endSegment() {
        endTrack()
        switch state {
        case .empty, .betweenSegments, .inTrack: return
        case .inLine: put(Self.lineEnd)
        case .inSegment: put(Self.segmentEnd)
        }
        state = .betweenSegments
    }

    /// The ends of all that is open.
    public var closing: [UInt8] {
        var rest = self
        rest.lines.removeAll()
        rest.endSegment()
        rest.put(Self.end)
        var bytes: [UInt8] = []
        rest.drain { span in
            span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// A track's positions stand behind its times: one that was cut off is not continued.
    public static let isContinuable = false

    /// See `isContinuable`.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }

    /// Hands over what was written, and forgets it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(lines.bytes)
        lines.removeAll()
    }

    /// Writes a whole line.
    private mutating func put(_ text: String) {
        let bytes = Array(text.utf8)
        lines.line(atMost: bytes.count) { $0.put(bytes.span.extracting(droppingLast: 1)) }
    }

    private static func move(_ from: inout JSONLines, to lines: inout JSONLines) {
        append(from.bytes, to: &lines)
        from.removeAll()
    }

    /// Writes whole lines.
    private static func append(_ text: Span<UInt8>, to lines: inout JSONLines) {
        lines.line(atMost: text.count) { $0.put(text.extracting(droppingLast: 1)) }
    }

    // MARK: Positions

    /// Writes a position.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        let kind = Kind(isSimulated: source.isSimulated(fix), isDated: fix.time != nil)
        beginPosition(kind, hasAltitude: fix.altitude != nil)
        guard let time = fix.time else {
            return lines.line(atMost: 80) { text in
                text.kmlPosition(position, fix.altitude, separator: ",")
            }
        }
        lines.line(atMost: 80) { text in
            text.put(.whenStart)
            text.dateTime(time)
            text.put(.whenEnd)
        }
        positions.line(atMost: 120) { text in
            text.put(.coordStart)
            text.kmlPosition(position, fix.altitude, separator: " ")
            text.put(.coordEnd)
        }
    }

    private mutating func beginPosition(_ kind: Kind, hasAltitude: Bool) {
        switch state {
        case .inLine(kind), .inSegment(kind): break
        case .inTrack(kind, hasAltitude, let count) where count < Self.longestTrack:
            state = .inTrack(kind, hasAltitude: hasAltitude, count: count + 1)
            return
        case .inTrack(kind, _, _): endTrack()
        default:
            endSegment()
            beginSegment(kind)
        }
        guard kind.isDated else { return }
        let mode = hasAltitude ? "absolute" : "clampToGround"
        put("<gx:Track><altitudeMode>\(mode)</altitudeMode>\n")
        state = .inTrack(kind, hasAltitude: hasAltitude, count: 1)
    }
}

extension TextWriter {
    /// Longitude, latitude, altitude; 0 where that is not known, and not looked at.
    fileprivate mutating func kmlPosition(
        _ position: Coordinate, _ altitude: Double?, separator: Unicode.Scalar
    ) {
        degrees(position.longitude)
        put(character: separator)
        degrees(position.latitude)
        put(character: separator)
        if let altitude, altitude.magnitude < 1e9 {
            decimal(altitude, 3)
        } else {
            integer(0)
        }
    }
}

extension JSONPiece {
    fileprivate static let whenStart: JSONPiece = "<when>"
    fileprivate static let whenEnd: JSONPiece = "</when>"
    fileprivate static let coordStart: JSONPiece = "<gx:coord>"
    fileprivate static let coordEnd: JSONPiece = "</gx:coord>"
}
