// SPDX-License-Identifier: MIT
public import GNSS

/// GeoJSON text sequences (RFC 8142): a feature for every fix, each after a record separator, for programs
/// that read streams.
public struct GeoJSONSeqFormat: OutputFormat, Equatable {
    /// `geojsonseq`.
    public static let name = "geojsonseq"
    /// The extensions `geojsons` and `geojsonseq`.
    public static let fileExtensions = ["geojsons", "geojsonseq"]
    /// The description in `--help`.
    public static let summary = "GeoJSON text sequence, a feature for every fix, for streams"

    private var text = TextBuffer()
    private var feature = GeoJSONFeature()

    /// Creates a writer.
    public init() {}

    /// Stores the source.
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
        text.append(character: "\u{1E}")
        feature.write(fix, position, to: &text)
        text.append(character: "\n")
    }

    /// Continues after the last complete line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.starts(with: "\u{1E}{".utf8) ? FileEnd(end).kept : nil
    }

    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }
}
