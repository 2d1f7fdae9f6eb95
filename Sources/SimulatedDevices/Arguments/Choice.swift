// SPDX-License-Identifier: MIT

/// Parses names on the command line. Each name selects a case of an enumeration.
package enum Choice {
    /// Returns the case with a name. Throws a `UsageError` if there is none. `kind` is a noun such
    /// as `format` for the error.
    package static func of<Cases: CaseIterable & RawRepresentable>(
        _ name: String, _ kind: String
    ) throws -> Cases where Cases.RawValue == String {
        guard let choice = Cases(rawValue: name) else {
            throw UsageError.unknown(kind, name, known: Cases.allCases.map(\.rawValue))
        }
        return choice
    }
}
