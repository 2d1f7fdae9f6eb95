// SPDX-License-Identifier: MIT
import Glibc

/// Wraps text to the width of the terminal.
package enum LineWrapping {
    /// The text width in columns, from 40 to 100: the value of `COLUMNS`, otherwise the terminal's
    /// width, otherwise 80.
    package static let columns: Int = {
        var size = winsize()
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        let known = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap {
            $0 > 0 ? $0 : nil
        }
        let columns = known ?? (isTerminal && size.ws_col > 0 ? Int(size.ws_col) : 80)
        return min(100, max(40, columns))
    }()

    /// Returns the text with long lines wrapped. The text of a table row (a name, two or more
    /// spaces, a text) continues in its own column. Other indented lines, such as examples,
    /// continue with a larger indentation.
    package static func wrapped(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.count > width ? wrapped(line: $0, width) : String($0) }
            .joined(separator: "\n")
    }

    /// The minimum width of the text column of a table.
    private static let minimumWidth = 20

    private static func wrapped(line: Substring, _ width: Int) -> String {
        let indent = line.prefix { $0 == " " }.count
        let text = textColumn(of: line, indent)
        let head = text ?? indent
        let further = indent == 0 ? 0 : indent + 3
        let column = text.map { $0 + minimumWidth > width ? further : $0 } ?? further
        let margin = String(repeating: " ", count: column)
        var lines: [String] = []
        var current = String(line.prefix(head))
        var isEmpty = true
        for (word, gap) in words(line.dropFirst(head), longest: width - column) {
            let gap = isEmpty ? "" : gap
            if !isEmpty, current.count + gap.count + word.count > width {
                lines.append(current)
                current = margin + word
            } else {
                current += gap + word
            }
            isEmpty = false
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// Returns the column at which the text of a table row begins; `nil` if the line is not a table
    /// row.
    private static func textColumn(of line: Substring, _ indent: Int) -> Int? {
        guard let gap = line.dropFirst(indent).firstRange(of: "  ") else { return nil }
        let name = line[..<gap.lowerBound].count
        return name + line[gap.lowerBound...].prefix { $0 == " " }.count
    }

    /// Returns the words of a text, each with the space that precedes it. Words longer than
    /// `longest` characters are split after commas, without spaces between the parts.
    private static func words(_ text: Substring, longest: Int) -> [(text: String, gap: String)] {
        text.split(separator: " ").flatMap { word -> [(text: String, gap: String)] in
            guard word.count > longest else { return [(String(word), " ")] }
            let parts = word.split(separator: ",", omittingEmptySubsequences: false)
            return parts.enumerated().map { index, part in
                (part + (index < parts.count - 1 ? "," : ""), index == 0 ? " " : "")
            }
        }
    }
}
