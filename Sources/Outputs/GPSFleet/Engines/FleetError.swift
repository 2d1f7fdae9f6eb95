// SPDX-License-Identifier: MIT

/// An error of the connection to a server, of a spool or of a database.
package struct FleetError: Error, Hashable, CustomStringConvertible {
    /// The failure and, if there is one, a remedy, without the subject.
    package let reason: String
    /// The object of the failure, such as a spool; `nil` if `reason` names it.
    private let subject: String?
    /// Whether a retry is useless.
    package var isPermanent = false
    /// Whether the disk is full, or a spool's file has reached its maximum size.
    var isFull = false

    /// Creates an error. `subject` is the object of the failure, such as a spool; `nil` if `reason`
    /// names it.
    package init(_ reason: String, of subject: String? = nil, isPermanent: Bool = false) {
        self.reason = reason
        self.subject = subject
        self.isPermanent = isPermanent
    }

    /// The subject, if there is one, and the reason.
    package var description: String { subject.map { "\($0): \(reason)" } ?? reason }
}
