// SPDX-License-Identifier: MIT

extension String {
    /// Returns the text, padded with leading spaces to `width` characters. Longer text is
    /// unchanged.
    package func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - unicodeScalars.count)) + self
    }

    /// Returns the text, padded with trailing spaces to `width` characters. Longer text is
    /// unchanged.
    package func trailing(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
    }
}

extension Int {
    /// Creates the integer nearest to a number, limited to ±1 000 000 000. NaN becomes 0.
    package init(nearest value: Double) {
        self = value.isNaN ? 0 : Int(Swift.min(1e9, Swift.max(-1e9, value.rounded())))
    }
}

extension Int64 {
    /// Creates the number of nanoseconds in a number of seconds, limited to ±9 000 000 000 s. NaN
    /// becomes 0.
    package init(nanosecondsIn seconds: Double) {
        self =
            seconds.isNaN ? 0 : Int64(Swift.min(9e9, Swift.max(-9e9, seconds)) * 1_000_000_000)
    }
}

/// Formats names and their descriptions in two aligned columns.
package enum TwoColumns {
    /// Returns one line for each row, indented by two spaces.
    package static func text(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { "  " + $0.trailing(width) + $1 }.joined(separator: "\n")
    }
}
