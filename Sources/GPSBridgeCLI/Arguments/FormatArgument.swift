// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats

/// A format by its name, or by the extension of a file's name.
enum FormatArgument {
    /// The formats, one a line, as `--help` shows them.
    static func list(where isShown: (any OutputFormat.Type) -> Bool = { _ in true }) -> String {
        OutputFormats.all.filter(isShown).map { line($0.name, $0.summary) }
            .joined(separator: "\n")
    }

    /// A format as `--help` shows it.
    static func line(_ name: String, _ summary: String) -> String {
        let width = (OutputFormats.names.map(\.count).max() ?? 0) + 2
        return "  \(name)" + String(repeating: " ", count: max(1, width - name.count)) + summary
    }

    /// The format of that name.
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

    /// The format named by an option, or by the extension of the output.
    static func format(
        _ named: (any OutputFormat.Type)?, path: String?, option: String
    ) throws -> any OutputFormat.Type {
        let plain = path.map(CompressionFormat.plainName)
        if let format = named ?? plain.flatMap({ OutputFormats.of(path: $0) }) { return format }
        let known = OutputFormats.names.joined(separator: ", ")
        guard let path else { throw UsageError("\(option) FORMAT is missing (known: \(known))") }
        throw UsageError(
            "the name '\(path)' shows no format: end it with \(fileEndings()), or add \(option) FORMAT "
                + "(\(known))")
    }

    /// The endings of files that show a format, and how they are compressed.
    private static func fileEndings(where isShown: (any OutputFormat.Type) -> Bool = { _ in true })
        -> String
    {
        let endings = OutputFormats.all.filter(isShown).flatMap { $0.fileExtensions }.map {
            ".\($0)"
        }
        let compressed = CompressionFormat.allCases.map(\.fileEnding)
        return endings.joined(separator: ", ")
            + " (to compress it, \(compressed.joined(separator: " or ")) behind that)"
    }

    /// Endings of files that are compressed, or hold tracks, in ways that cannot be written.
    private static let foreign: Set<String> = [
        "bz2", "xz", "lz", "lzma", "lz4", "br", "z", "zip", "7z", "rar", "tar", "tgz", "gzip",
        "zstd",
        "fit", "igc", "kmz", "shp", "tcx",
    ]

    /// Throws a `UsageError` for a name that promises what is not written.
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
