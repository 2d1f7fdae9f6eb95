// SPDX-License-Identifier: MIT
public import GNSS

/// Writes GeoJSON (RFC 7946) with a line for every segment. A segment with a single position is a
/// point.
///
/// A line that crosses ±180° is cut there. Its parts are features with the same `segment` and not a
/// `MultiLineString`, because the start of a long line is already written when it crosses.
///
/// Times, speeds and accuracies are not written, because a line cannot store them for each
/// position.
public struct GeoJSONLineFormat: OutputFormat, GeoJSONWriter {
    /// The name `geojson-lines`.
    public static let name = "geojson-lines"
    /// The format has no extension, because `.geojson` selects the format with points.
    public static let fileExtensions: [String] = []
    /// The description in `--help`.
    public static let summary = "GeoJSON, a collection with a line for every segment"

    private enum State {
        case between
        /// A segment has begun with this fix. It has not been written yet, because it may be the
        /// only one.
        case atFirst(Fix, Coordinate)
        /// A line has been written up to the position `last`.
        case inLine(isSimulated: Bool, last: Coordinate)
    }

    var text = TextBuffer()
    private var state = State.between
    private var source = OutputSource()
    private var segment = 0
    private var isEmpty = true
    private var hasFeatures = false

    /// Creates a writer.
    public init() {}

    /// Ends the segment and sets the source. The first call writes the start of the collection.
    public mutating func begin(_ source: OutputSource) {
        endSegment()
        self.source = source
        guard isEmpty else { return }
        isEmpty = false
        text.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    }

    /// Ends the line. The next fix begins another one.
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
            let start = start.onSide(of: position)
            append(first, start)
            continueLine(from: start, to: fix, position)
        case .inLine(isSimulated, let last): continueLine(from: last, to: fix, position)
        case .atFirst, .inLine, .between:
            endSegment()
            state = .atFirst(fix, position)
        }
    }

    /// Writes the next position of a line, and cuts the line if it crosses ±180°.
    private mutating func continueLine(
        from last: Coordinate, to fix: Fix, _ position: Coordinate
    ) {
        let isSimulated = source.isSimulated(fix)
        let position = position.onSide(of: last)
        if let cut = AntimeridianCut(from: last, to: position) {
            if cut.end != last {
                text.append(",\n")
                GeoJSONFeature.append(cut.end, to: &text)
            }
            text.append("]}}\n")
            beginFeature("LineString", isSimulated)
            text.append("[")
            GeoJSONFeature.append(cut.start, to: &text)
        }
        text.append(",\n")
        append(fix, position)
        state = .inLine(isSimulated: isSimulated, last: position)
    }

    // The properties precede the geometry, so that a streaming reader has them before the first
    // position.
    private mutating func beginFeature(_ geometry: StaticString, _ isSimulated: Bool) {
        separateFeature()
        text.append(#"{"type":"Feature","properties":{"origin":""#)
        text.append(text: source.originName(isSimulated: isSimulated))
        text.append(#"","segment":"#, segment)
        text.append(#","source":"#, json: source.name)
        text.append(#"},"geometry":{"type":""#)
        text.append(geometry)
        text.append(#"","coordinates":"#)
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate) {
        GeoJSONFeature.append(position, fix.ellipsoidalAltitude, to: &text)
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

    /// The closing brackets of all open elements.
    public var closing: [UInt8] {
        var rest = self
        rest.text.removeAll()
        rest.endSegment()
        rest.text.append("]}\n")
        return rest.text.array
    }

    /// A truncated line cannot be continued.
    public static let isContinuable = false

    /// Ends the current line, and writes a comma unless the feature is the first one.
    mutating func beginFeature() {
        endSegment()
        separateFeature()
    }

    private mutating func separateFeature() {
        if hasFeatures { text.append(character: ",") }
        hasFeatures = true
    }
}
