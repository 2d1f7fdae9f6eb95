// SPDX-License-Identifier: MIT

/// An error in JSON input.
package struct JSONError: Error, Equatable, Sendable {
    /// The reason, worded for a message about a file.
    package let reason: String
    /// The reason in a few words, for a reply to a client.
    package let summary: String

    /// Creates an error. `summary` defaults to `reason`.
    package init(_ reason: String, summary: String? = nil) {
        self.reason = reason
        self.summary = summary ?? reason
    }
}
