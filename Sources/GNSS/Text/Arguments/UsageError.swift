// SPDX-License-Identifier: MIT

/// An error in the command line. The program prints it on one line and exits with status 2.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }

    /// Returns the error for an unknown name. It lists the known names, and suggests one if it is
    /// similar. `kind` is a noun such as `personality`.
    package static func unknown(_ kind: String, _ name: String, known: [String]) -> UsageError {
        let begun = known.filter { name.count > 1 && $0.hasPrefix(name) }
        let nearest =
            begun.count == 1 ? begun[0] : known.min { distance($0, name) < distance($1, name) }
        var text = "unknown \(kind) '\(name)'"
        if let nearest, begun.count == 1 || distance(nearest, name) <= max(1, name.count / 3) {
            text += "; did you mean '\(nearest)'?"
        }
        return UsageError("\(text) (known: \(known.joined(separator: ", ")))")
    }

    /// Returns the number of letters to change, add or remove to get from `a` to `b` (Levenshtein
    /// distance).
    private static func distance(_ a: String, _ b: String) -> Int {
        let b = Array(b)
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let change = diagonal + (letter == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
