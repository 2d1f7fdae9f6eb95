// SPDX-License-Identifier: MIT
import GNSS

/// A manual page in roff, created from the tables that `--help` uses.
package struct ManualPage {
    /// The page's name, without its section.
    private let name: String
    private let synopsis: String
    private let table: CommandTable
    /// The names of the pages in the section SEE ALSO.
    private let others: [String]

    /// Creates the page `gpsbridge-COMMAND(1)`.
    package init(_ table: CommandTable) {
        name = "gpsbridge-\(table.name)"
        synopsis = "gpsbridge \(table.name) [OPTION...] \(table.argumentSyntax)"
        self.table = table
        others = ["gpsbridge"]
    }

    /// Creates the page of a program, such as `gpsbridge(1)`, from the table of its default
    /// command.
    package init(program name: String, _ overview: CommandTable, commands: [String]) {
        self.name = name
        synopsis = "\(name) \(overview.argumentSyntax)"
        table = overview
        others = commands.map { "gpsbridge-\($0)" }
    }

    /// The page in roff.
    package var text: String {
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"gpsbridge \(Release.version)\" \"User Commands\"",
            // Justified text would have wide gaps because of the long names of sources.
            ".ad l",
            ".SH NAME", "\(name) \\- \(Self.escaped(lowercasedSummary))",
            ".SH SYNOPSIS", ".B \(Self.escaped(synopsis))",
            ".SH DESCRIPTION", Self.escaped(table.summary),
        ]
        lines += Self.paragraphs(table.details)
        lines.append(".SH OPTIONS")
        for option in table.options {
            let value =
                option.value.map { value in
                    let text = "=\\fI\(Self.escaped(value))\\fR"
                    return option.isValueOptional ? "[\(text)]" : text
                } ?? ""
            let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
            lines += [
                ".TP", "\(letter)\\fB\\-\\-\(Self.escaped(option.name))\\fR\(value)",
                Self.escaped(option.help),
            ]
        }
        for section in table.manual {
            lines.append(".SH \(section.heading)")
            for (name, text) in section.entries {
                lines += [".TP", "\\fB\(Self.escaped(name))\\fR", Self.escaped(text)]
            }
        }
        lines.append(".SH EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings {
            lines += [".TP", Self.escaped(status), Self.escaped(meaning)]
        }
        lines += [
            ".SH SEE ALSO",
            others.map { "\\fB\(Self.escaped($0))\\fR(1)" }.joined(separator: ",\n"),
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private var lowercasedSummary: String {
        let summary = table.summary
        let text = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Converts text to filled paragraphs. Indented lines keep their line breaks.
    private static func paragraphs(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        var lines = [".PP"]
        var isVerbatim = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("  ") != isVerbatim {
                isVerbatim.toggle()
                lines.append(isVerbatim ? ".nf" : ".fi")
            }
            lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
        }
        if isVerbatim { lines.append(".fi") }
        return lines
    }

    /// The word length above which a word may be broken after a comma. Otherwise, lines would have
    /// wide gaps.
    private static let maximumWordLength = 40

    /// Escapes the characters that roff interprets.
    private static func escaped(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let safe = escaped(word: String(word))
            return word.count > maximumWordLength ? safe.replacing(",", with: ",\\:") : safe
        }.joined(separator: " ")
    }

    private static func escaped(word text: String) -> String {
        let safe = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }
}
