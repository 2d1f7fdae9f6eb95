// SPDX-License-Identifier: MIT

/// Reports that bytes were rejected as a sentence, and why. A rejection never ends the stream.
public struct Rejection: Hashable, Sendable {
    /// The reason for rejecting a sentence.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The sentence has no `*hh`, and the policy requires one.
        case noChecksum
        /// The `*` is not followed by two hexadecimal digits.
        case malformedChecksum
        /// The checksum does not match the bytes.
        case badChecksum
        /// The sentence contains a byte outside 0x20 to 0x7E, and no valid checksum before it.
        case nonPrintable
        /// The next sentence or a binary frame starts inside the sentence.
        case truncated
        /// The sentence is longer than the limit.
        case overlong
        /// The sentence has no text between the start character and the checksum, or no address.
        case emptyBody
        /// The address has invalid characters.
        case badAddress
        /// Mandatory fields are missing.
        case tooFewFields
        /// The input ends inside the sentence.
        case unterminated
        /// A GSV sentence is not the next part of its satellite list, because a part is missing or
        /// repeated.
        case gsvIncomplete
    }

    /// The reason for the rejection.
    public var reason: Reason

    /// The offset of the start character in the stream.
    public var offset: Int

    /// Creates a rejection.
    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
