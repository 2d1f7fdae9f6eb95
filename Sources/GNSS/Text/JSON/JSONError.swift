// SPDX-License-Identifier: MIT

/// Why JSON cannot be read.
package struct JSONError: Error, Equatable, Sendable {
    /// The reason, as a sentence about a file.
    package let reason: String
    /// The reason in a few words, for the sender of a request.
    package let summary: String

    /// Creates a reason; without a summary it serves as one.
    package init(_ reason: String, summary: String? = nil) {
        self.reason = reason
        self.summary = summary ?? reason
    }
}
