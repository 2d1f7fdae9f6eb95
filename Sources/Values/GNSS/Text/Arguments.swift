// SPDX-License-Identifier: MIT

/// Parses names on the command line. Each name selects a case of an enumeration.
package enum Choice {
    /// Returns the case whose raw value is `name`. Throws a `UsageError` if there is none. `kind`
    /// is a noun for the error message, such as `format`.
    package static func of<Cases: CaseIterable & RawRepresentable>(
        _ name: String, _ kind: String
    ) throws -> Cases where Cases.RawValue == String {
        guard let choice = Cases(rawValue: name) else {
            throw UsageError.unknown(kind, name, known: Cases.allCases.map(\.rawValue))
        }
        return choice
    }
}
