// SPDX-License-Identifier: MIT
public import GNSS

/// GeoJSON (RFC 7946): one collection with a point feature for every fix.
public struct GeoJSONFormat: OutputFormat {
    /// `geojson`.
    public static let name = "geojson"
    /// GeoJSON's own.
    public static let fileExtensions = ["geojson"]
    /// What it is.
    public static let summary = "GeoJSON, a collection with a point for every fix"

    private static let head = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)

    private var lines = JSONLines()
    private var feature = GeoJSONFeature()
    private var isEmpty = true
    private var hasFeatures = false

    /// Makes a writer.
    public init() {}

    /// Takes note of the source.
    public mutating func begin(_ source: OutputSource) {
        feature.source = source
        guard isEmpty else { return }
        isEmpty = false
        lines.line(atMost: Self.head.count) {
            $0.put(Self.head.span.extracting(droppingLast: 1))
        }
    }

    /// Counts segments.
    public mutating func beginSegment() {
        feature.segment += 1
    }

    /// Writes a feature on a line of its own.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        lines.line(atMost: feature.length) { [feature, hasFeatures] text in
            if hasFeatures { text.put(character: ",") }
            feature.write(fix, position, to: &text)
        }
        hasFeatures = true
    }

    /// The collection's end.
    public var closing: [UInt8] { Array("]}\n".utf8) }

    /// Goes on behind the last whole feature.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard head.count >= Self.head.count else { return Self.head.starts(with: head) ? 0 : nil }
        guard head.starts(with: Self.head) else { return nil }
        var lines = FileEnd(end)
        if lines.lastLineBegins("]}") { lines.dropLine() }
        let isFeature =
            lines.lastLineBegins("{\"type\":\"Feature\",\"geometry\"")
            || lines.lastLineBegins(",{\"type\":\"Feature\",\"geometry\"")
        guard isFeature || lines.lastLineBegins("{\"type\":\"FeatureCollection\"") else {
            return nil
        }
        isEmpty = false
        hasFeatures = isFeature
        return lines.kept
    }

    /// Hands over what was written, and forgets it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(lines.bytes)
        lines.removeAll()
    }
}
