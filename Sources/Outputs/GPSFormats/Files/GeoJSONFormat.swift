// SPDX-License-Identifier: MIT
public import GNSS

/// Writes GeoJSON (RFC 7946): a collection with a point feature for every fix.
public struct GeoJSONFormat: OutputFormat, GeoJSONWriter {
    /// The name `geojson`.
    public static let name = "geojson"
    /// The extension `geojson`.
    public static let fileExtensions = ["geojson"]
    /// The description in `--help`.
    public static let summary = "GeoJSON, a collection with a point for every fix"

    private static let head = "{\"type\":\"FeatureCollection\",\"features\":[\n"

    var text = TextBuffer()
    private var feature = GeoJSONFeature()
    private var isEmpty = true
    private var hasFeatures = false

    /// Creates a writer.
    public init() {}

    /// Sets the source. The first call writes the start of the collection.
    public mutating func begin(_ source: OutputSource) {
        feature.source = source
        guard isEmpty else { return }
        isEmpty = false
        text.append(text: Self.head)
    }

    /// Increments the segment number.
    public mutating func beginSegment() {
        feature.segment += 1
    }

    /// Writes a feature on its own line.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginFeature()
        feature.write(fix, position, to: &text)
    }

    /// The closing brackets of the collection.
    public var closing: [UInt8] { Array("]}\n".utf8) }

    /// Continues after the last complete feature.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        FileEnd.resume(head, end, start: Self.head) { lines in
            if lines.lastLineBegins("]}") { lines.dropLine() }
            feature.resume(after: lines.lastLine)
            hasFeatures =
                lines.lastLineBegins("{\"type\":\"Feature\",\"geometry\"")
                || lines.lastLineBegins(",{\"type\":\"Feature\",\"geometry\"")
            isEmpty = !hasFeatures && !lines.lastLineBegins("{\"type\":\"FeatureCollection\"")
            return !isEmpty
        }
    }

    /// Writes a comma, unless the feature is the first one.
    mutating func beginFeature() {
        if hasFeatures { text.append(character: ",") }
        hasFeatures = true
    }
}
