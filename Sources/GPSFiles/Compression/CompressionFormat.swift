// SPDX-License-Identifier: MIT

/// A format of compressed files, as the end of a file's name shows it.
package enum CompressionFormat: String, CaseIterable, Sendable {
    /// gzip.
    case gzip = "gz"
    /// zstd.
    case zstd = "zst"

    /// How names of files end.
    package var fileEnding: String { ".\(rawValue)" }

    /// The format that a file's name ends with; `nil` for a name without one.
    package init?(path: String) {
        let name = path.lowercased()
        guard let format = Self.allCases.first(where: { name.hasSuffix($0.fileEnding) }) else {
            return nil
        }
        self = format
    }

    /// A file's name without the ending of a compressed file.
    package static func plainName(_ path: String) -> String {
        String(path.dropLast(CompressionFormat(path: path)?.fileEnding.count ?? 0))
    }
}
