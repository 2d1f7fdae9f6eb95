// SPDX-License-Identifier: MIT

/// A format of compressed files. The raw value is its file extension without a dot.
package enum CompressionFormat: String, CaseIterable, Sendable {
    /// gzip.
    case gzip = "gz"
    /// zstd.
    case zstd = "zst"

    /// The file extension with its dot.
    package var fileEnding: String { ".\(rawValue)" }

    /// Finds the format by the extension of a path, ignoring case. Returns `nil` for any other
    /// extension.
    package init?(path: String) {
        let name = path.lowercased()
        guard let format = Self.allCases.first(where: { name.hasSuffix($0.fileEnding) }) else {
            return nil
        }
        self = format
    }

    /// Returns a path without `.gz` or `.zst`; any other path is returned unchanged.
    package static func plainName(_ path: String) -> String {
        String(path.dropLast(CompressionFormat(path: path)?.fileEnding.count ?? 0))
    }
}
