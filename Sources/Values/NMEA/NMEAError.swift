// SPDX-License-Identifier: MIT

/// An error thrown when a sentence cannot be read.
public enum NMEAError: Error, Hashable, Sendable {
    /// The framer or the decoder rejected the sentence.
    case rejected(Rejection.Reason)
    /// The sentence is valid, but belongs to another type. If a sentence type's `init(_:)` throws
    /// this error, the decoder delivers the sentence undecoded.
    case otherSentence(address: String)
    /// The text does not contain exactly one sentence.
    case notOneSentence
}
