// SPDX-License-Identifier: MIT

/// A format of compressed files, with its file extension.
package enum CompressionFormat: String, CaseIterable, Sendable {
    /// gzip.
    case gzip = "gz"
    /// zstd.
    case zstd = "zst"

    /// The file extension with its dot.
    package var fileEnding: String { ".\(rawValue)" }

    /// Finds the format by the extension of a path; `nil` if the path has neither.
    package init?(path: String) {
        let name = path.lowercased()
        guard let format = Self.allCases.first(where: { name.hasSuffix($0.fileEnding) }) else {
            return nil
        }
        self = format
    }

    /// Returns a path without the extension of a compressed file.
    package static func plainName(_ path: String) -> String {
        String(path.dropLast(CompressionFormat(path: path)?.fileEnding.count ?? 0))
    }
}
