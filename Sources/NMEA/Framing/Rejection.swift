// SPDX-License-Identifier: MIT

/// A run of bytes that is no sentence, and why. Noise is a value: it never ends a stream.
public struct Rejection: Hashable, Sendable {
    /// Why a sentence was rejected.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// There is no `*hh`, and the policy requires one.
        case noChecksum
        /// `*` is not followed by two hexadecimal digits.
        case malformedChecksum
        /// The checksum does not agree with the bytes.
        case badChecksum
        /// A byte outside 0x20 to 0x7E stands in the sentence.
        case nonPrintable
        /// The next sentence or a binary frame starts within it.
        case truncated
        /// It is longer than the limit.
        case overlong
        /// Nothing stands between the start character and the checksum, or no address.
        case emptyBody
        /// The address has characters that no address has.
        case badAddress
        /// Mandatory fields are missing.
        case tooFewFields
        /// The input ends within it.
        case unterminated
        /// A part of a list of satellites that does not follow the part before.
        case gsvIncomplete
    }

    /// Why.
    public var reason: Reason

    /// Where the start character stood in the stream.
    public var offset: Int

    /// Creates a rejection.
    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
