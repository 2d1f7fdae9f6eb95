// SPDX-License-Identifier: MIT
public import GNSS

/// Writes GeoJSON text sequences (RFC 8142), for programs that read streams. Each fix is a feature
/// after a record separator.
public struct GeoJSONSeqFormat: OutputFormat, GeoJSONWriter, Equatable {
    /// The name `geojsonseq`.
    public static let name = "geojsonseq"
    /// The extensions `geojsons` and `geojsonseq`.
    public static let fileExtensions = ["geojsons", "geojsonseq"]
    /// The description in `--help`.
    public static let summary = "GeoJSON text sequence, a feature for every fix, for streams"

    var text = TextBuffer()
    private var feature = GeoJSONFeature()

    /// Creates a writer.
    public init() {}

    /// Sets the source of the next features.
    public mutating func begin(_ source: OutputSource) {
        feature.source = source
    }

    /// Increments the segment number.
    public mutating func beginSegment() {
        feature.segment += 1
    }

    /// Writes a record.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginFeature()
        feature.write(fix, position, to: &text)
    }

    /// Continues after the last complete line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard head.starts(with: "\u{1E}{".utf8) else { return nil }
        let lines = FileEnd(end)
        feature.resume(after: lines.lastLine)
        return lines.kept
    }

    /// Writes a record separator.
    mutating func beginFeature() {
        text.append(character: "\u{1E}")
    }
}
