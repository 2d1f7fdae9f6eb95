// SPDX-License-Identifier: MIT

/// An error thrown when a sentence cannot be read.
public enum NMEAError: Error, Hashable, Sendable {
    /// The framer or the decoder rejected the sentence.
    case rejected(Rejection.Reason)
    /// The sentence is valid but of another type. If a type throws this error when it reads the
    /// fields, the decoder delivers the sentence undecoded.
    case otherSentence(address: String)
    /// The text contains no sentence or more than one.
    case notOneSentence
}
