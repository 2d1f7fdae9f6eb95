// SPDX-License-Identifier: MIT

/// Formats names and their descriptions in two aligned columns.
package enum TwoColumns {
    /// Returns one line for each row, indented by two spaces.
    package static func text(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { "  " + $0.trailing(width) + $1 }.joined(separator: "\n")
    }
}
