// SPDX-License-Identifier: MIT

/// An error of an engine, a spool or a database.
package struct FleetError: Error, Hashable, CustomStringConvertible {
    /// The failure and, if there is one, a remedy.
    package let description: String
    /// Whether a retry is useless.
    package var isPermanent = false
    /// Whether the disk is full, or a spool's file has reached its maximum size.
    var isFull = false

    /// Creates an error.
    package init(_ description: String, isPermanent: Bool = false) {
        self.description = description
        self.isPermanent = isPermanent
    }
}
