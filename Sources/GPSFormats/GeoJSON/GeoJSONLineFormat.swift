// SPDX-License-Identifier: MIT
public import GNSS

/// GeoJSON (RFC 7946) with a line for every segment; a single position is a point.
///
/// Times, speeds and accuracies are not written: a line cannot store them for each position.
public struct GeoJSONLineFormat: OutputFormat {
    /// `geojson-lines`.
    public static let name = "geojson-lines"
    /// None: `.geojson` selects the format with points.
    public static let fileExtensions: [String] = []
    /// The description in `--help`.
    public static let summary = "GeoJSON, a collection with a line for every segment"

    private enum State {
        case between
        /// A segment has begun with this fix, which has not been written: it may be the only one.
        case atFirst(Fix, Coordinate)
        case inLine(isSimulated: Bool)
    }

    private var text = TextBuffer()
    private var state = State.between
    private var source = OutputSource()
    private var segment = 0
    private var isEmpty = true
    private var hasFeatures = false

    /// Creates a writer.
    public init() {}

    /// Writes the beginning, and stores the source.
    public mutating func begin(_ source: OutputSource) {
        endSegment()
        self.source = source
        guard isEmpty else { return }
        isEmpty = false
        text.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    }

    /// Begins a line with the next fix.
    public mutating func beginSegment() {
        endSegment()
        segment += 1
    }

    /// Writes a position.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        let isSimulated = source.isSimulated(fix)
        switch state {
        case .atFirst(let first, let start) where source.isSimulated(first) == isSimulated:
            beginFeature("LineString", isSimulated)
            text.append("[")
            append(first, start)
            state = .inLine(isSimulated: isSimulated)
        case .inLine(isSimulated): break
        case .atFirst, .inLine, .between:
            endSegment()
            state = .atFirst(fix, position)
            return
        }
        text.append(",\n")
        append(fix, position)
    }

    // The properties precede the geometry, so that a reader knows them before the first position.
    private mutating func beginFeature(_ geometry: StaticString, _ isSimulated: Bool) {
        if hasFeatures { text.append(",") }
        hasFeatures = true
        text.append(#"{"type":"Feature","properties":{"origin":""#)
        text.append(source.originName(isSimulated: isSimulated))
        text.append(#"","segment":"#, segment)
        text.append(#","source":"#)
        text.append(json: source.name)
        text.append(#"},"geometry":{"type":""#)
        text.append(geometry)
        text.append(#"","coordinates":"#)
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate) {
        text.append("[")
        text.append(degrees: position.longitude)
        text.append(",")
        text.append(degrees: position.latitude)
        // RFC 7946: the third number is always the altitude above the ellipsoid.
        text.append(",", fix.ellipsoidalAltitude, decimals: 3)
        text.append("]")
    }

    private mutating func endSegment() {
        switch state {
        case .between: return
        case .atFirst(let fix, let position):
            beginFeature("Point", source.isSimulated(fix))
            append(fix, position)
            text.append("}}\n")
        case .inLine: text.append("]}}\n")
        }
        state = .between
    }

    /// The closing brackets of everything open.
    public var closing: [UInt8] {
        var rest = self
        rest.text.removeAll()
        rest.endSegment()
        rest.text.append("]}\n")
        return rest.text.array
    }

    /// `false`: a line that was cut off cannot be continued.
    public static let isContinuable = false

    /// Returns `nil`; see `isContinuable`.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }

    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }
}
