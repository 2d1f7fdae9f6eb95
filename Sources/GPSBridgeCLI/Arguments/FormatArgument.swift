// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats

/// Finds an output format by its name, or by the extension of a file name.
enum FormatArgument {
    /// Returns the formats, one per line, as `--help` shows them.
    static func list(where isShown: (any OutputFormat.Type) -> Bool = { _ in true }) -> String {
        OutputFormats.all.filter(isShown).map { line($0.name, $0.summary) }
            .joined(separator: "\n")
    }

    /// Returns a format's line in `--help`.
    static func line(_ name: String, _ summary: String) -> String {
        let width = (OutputFormats.names.map(\.count).max() ?? 0) + 2
        return "  \(name)" + String(repeating: " ", count: max(1, width - name.count)) + summary
    }

    /// Returns the format with a name.
    static func format(_ name: String) throws -> any OutputFormat.Type {
        guard let format = OutputFormats.named(name) else {
            if TimeArgument.looksLikeTime(name) {
                throw UsageError(
                    "'\(name)' is a time, and --to is the format: write --before \(name)")
            }
            throw UsageError.unknown("format", name, known: OutputFormats.names)
        }
        return format
    }

    /// Returns the format named by an option, or by the extension of the output.
    static func format(
        _ named: (any OutputFormat.Type)?, path: String?, option: String
    ) throws -> any OutputFormat.Type {
        let plain = path.map(CompressionFormat.plainName)
        if let format = named ?? plain.flatMap({ OutputFormats.of(path: $0) }) { return format }
        let known = OutputFormats.names.joined(separator: ", ")
        guard let path else { throw UsageError("\(option) FORMAT is missing (known: \(known))") }
        throw UsageError(
            "the name '\(path)' does not select a format: end it with \(fileEndings()), or add \(option) FORMAT "
                + "(\(known))")
    }

    /// The file extensions that select a format, and how to compress the output.
    private static func fileEndings(where isShown: (any OutputFormat.Type) -> Bool = { _ in true })
        -> String
    {
        let endings = OutputFormats.all.filter(isShown).flatMap { $0.fileExtensions }.map {
            ".\($0)"
        }
        let compressed = CompressionFormat.allCases.map(\.fileEnding)
        return endings.joined(separator: ", ")
            + " (to compress it, append \(compressed.joined(separator: " or ")))"
    }

    /// Extensions of files that are compressed, or contain tracks, in ways that cannot be written.
    private static let foreign: Set<String> = [
        "bz2", "xz", "lz", "lzma", "lz4", "br", "z", "zip", "7z", "rar", "tar", "tgz", "gzip",
        "zstd",
        "fit", "igc", "kmz", "shp", "tcx",
    ]

    /// Throws a `UsageError` for an extension whose format cannot be written.
    static func refuseForeign(
        _ path: String, endingWith isShown: (any OutputFormat.Type) -> Bool = { _ in true }
    ) throws {
        guard let dot = path.lastIndex(of: "."),
            foreign.contains(path[path.index(after: dot)...].lowercased())
        else { return }
        throw UsageError(
            "'\(path[dot...])' files cannot be written: end the name with "
                + fileEndings(where: isShown))
    }
}
