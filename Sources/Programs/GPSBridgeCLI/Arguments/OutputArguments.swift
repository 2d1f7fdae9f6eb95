// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO

/// Finds an output format by its name or by the extension of a file name.
enum FormatArgument {
    /// Returns a list of the formats for which `isShown` returns `true`, one per line, for
    /// `--help`.
    static func list(where isShown: (any OutputFormat.Type) -> Bool = { _ in true }) -> String {
        OutputFormats.all.filter(isShown).map { line($0.name, $0.summary) }
            .joined(separator: "\n")
    }

    /// Returns a line of `--help`: the name, padded to the width of the longest format name, and
    /// the summary.
    static func line(_ name: String, _ summary: String) -> String {
        let width = (OutputFormats.names.map(\.count).max() ?? 0) + 2
        return "  " + name.trailing(width) + summary
    }

    /// Returns the output format with this name. Throws a `UsageError` if there is none.
    static func format(_ name: String) throws -> any OutputFormat.Type {
        guard let format = OutputFormats.named(name) else {
            if TimeArgument.looksLikeTime(name) {
                throw UsageError(
                    "'\(name)' is a time, but --to selects the format: use --before \(name)")
            }
            throw UsageError.unknown("format", name, known: OutputFormats.names)
        }
        return format
    }

    /// Throws a `UsageError` if additional columns are requested for a format other than CSV.
    static func refuse(_ columns: OutputColumns, for format: String?) throws {
        guard columns != [], format != CSVFormat.name else { return }
        throw UsageError(
            "--columns is for csv"
                + (format.map { ": \($0) has no columns" } ?? ": select csv as the format"))
    }

    /// Returns whether a path ends with `.kmz` (KML in a zip archive).
    static func isKMZ(_ path: String) -> Bool { path.lowercased().hasSuffix(".kmz") }

    /// Throws a `UsageError` if a KMZ file would contain a format other than KML, or be compressed
    /// again.
    private static func checkKMZ(_ path: String, _ format: any OutputFormat.Type) throws {
        guard isKMZ(path) || isKMZ(CompressionFormat.plainName(path)) else { return }
        guard isKMZ(path) else {
            throw UsageError("'.kmz' files are already compressed: end the name with .kmz")
        }
        guard format == KMLFormat.self else {
            throw UsageError("'.kmz' files contain KML, not \(format.name): leave out the format")
        }
    }

    /// Returns the format `named` or, if that is `nil`, the format that the extension of `path`
    /// selects. Throws a `UsageError` if neither selects a format. `option` is the name of the
    /// option, for the error message.
    static func format(
        _ named: (any OutputFormat.Type)?, path: String?, option: String
    ) throws -> any OutputFormat.Type {
        if let path {
            try refuseFolder(path, example: "track.\(named?.fileExtensions.first ?? "gpx")")
        }
        let plain = path.map(CompressionFormat.plainName)
        if let format = named ?? plain.flatMap({ OutputFormats.of(path: $0) }) {
            if let path { try checkKMZ(path, format) }
            return format
        }
        let known = OutputFormats.names.joined(separator: ", ")
        guard let path else {
            throw UsageError("-o FILE or \(option) FORMAT is missing (known formats: \(known))")
        }
        throw UsageError(
            "the name '\(path)' does not select a format: end it with \(fileEndings()), or add "
                + "\(option) FORMAT (known formats: \(known))")
    }

    /// Throws a `UsageError` if a path is that of a folder. `example` is the name of a file in it.
    static func refuseFolder(_ path: String, example: String) throws {
        guard Folder.exists(path) || path.hasSuffix("/") else { return }
        let folder = path.hasSuffix("/") ? path : path + "/"
        throw UsageError("\(path) is a folder: name a file in it, such as \(folder)\(example)")
    }

    /// Returns a list of file extensions for an error message: those of the formats for which
    /// `isShown` returns `true`, and those that select a compression.
    private static func fileEndings(where isShown: (any OutputFormat.Type) -> Bool = { _ in true })
        -> String
    {
        let endings = OutputFormats.all.filter(isShown).flatMap { $0.fileExtensions }.map {
            ".\($0)"
        }
        let compressed = CompressionFormat.allCases.map(\.fileEnding)
        return "one of \(endings.joined(separator: ", ")) (to compress the file, append "
            + "\(compressed.joined(separator: " or ")))"
    }

    /// The extensions of compressed files, archives and track formats that cannot be written.
    private static let foreign: Set<String> = [
        "bz2", "xz", "lz", "lzma", "lz4", "br", "z", "zip", "7z", "rar", "tar", "tgz", "gzip",
        "zstd",
        "shp",
    ]

    /// Throws a `UsageError` if the extension belongs to a format that cannot be written. The error
    /// lists the extensions of the formats for which `isShown` returns `true`.
    static func refuseForeign(
        _ path: String, endingWith isShown: (any OutputFormat.Type) -> Bool = { _ in true }
    ) throws {
        let isForeignKMZ = isKMZ(path) && !isShown(KMLFormat.self)
        guard let dot = path.lastIndex(of: "."),
            isForeignKMZ || foreign.contains(path[path.index(after: dot)...].lowercased())
        else { return }
        throw UsageError(
            "'\(path[dot...])' files cannot be written: end the name with "
                + fileEndings(where: isShown))
    }
}

extension CommandOption {
    /// Returns the option `--columns`, a list of additional columns of CSV.
    static func columns(
        _ columns: any WritableKeyPath<C, OutputColumns> & Sendable
    ) -> CommandOption {
        let names = OutputColumns.named.map(\.name)
        return CommandOption(
            "columns", value: "LIST",
            help: "Additional columns of csv: \(names.joined(separator: ", "))"
        ) { command, list in
            for name in list.split(whereSeparator: { ",+".contains($0) }) {
                guard let named = OutputColumns.named.first(where: { $0.name == name }) else {
                    throw UsageError.unknown("column", String(name), known: names)
                }
                command[keyPath: columns].insert(named.columns)
            }
        }
    }
}
