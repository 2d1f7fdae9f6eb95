// SPDX-License-Identifier: MIT

/// Why an engine, a spool or a database cannot be used.
package struct FleetError: Error, Hashable, CustomStringConvertible {
    /// What went wrong, and where possible what to do.
    package let description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }
}
