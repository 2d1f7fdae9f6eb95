// SPDX-License-Identifier: MIT
import Outputs

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
        if let format = named ?? path.flatMap({ OutputFormats.of(path: $0) }) { return format }
        let known = OutputFormats.names.joined(separator: ", ")
        throw UsageError("\(option) FORMAT is missing (known: \(known))")
    }
}
