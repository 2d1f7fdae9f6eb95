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
        let hint = nearest(name, of: known).map { "; did you mean '\($0)'?" } ?? ""
        return UsageError(
            "unknown \(kind) '\(name)'\(hint) (known: \(known.joined(separator: ", ")))")
    }

    /// Returns the known name that is similar to a name, in upper or lower case; `nil` if there is
    /// none.
    package static func nearest(_ name: String, of known: [String]) -> String? {
        func distance(_ known: String) -> Int {
            Self.distance(known.lowercased(), name.lowercased())
        }
        let begun = known.filter { name.count > 1 && $0.hasPrefix(name) }
        if begun.count == 1 { return begun[0] }
        return known.min { distance($0) < distance($1) }.flatMap {
            distance($0) <= max(1, name.count / 3) ? $0 : nil
        }
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
