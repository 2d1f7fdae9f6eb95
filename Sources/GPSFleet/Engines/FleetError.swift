// SPDX-License-Identifier: MIT

/// Why an engine, a spool or a database cannot be used.
package struct FleetError: Error, Hashable, CustomStringConvertible {
    /// The failure, and where possible what to do about it.
    package let description: String
    /// Whether trying again is useless.
    package var isPermanent = false

    /// Creates an error.
    package init(_ description: String, isPermanent: Bool = false) {
        self.description = description
        self.isPermanent = isPermanent
    }
}
