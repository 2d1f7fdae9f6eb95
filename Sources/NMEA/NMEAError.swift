// SPDX-License-Identifier: MIT

/// Why a sentence could not be read.
public enum NMEAError: Error, Hashable, Sendable {
    /// The framer or the decoder rejected it.
    case rejected(Rejection.Reason)
    /// It is a sentence, but not of the type asked for. Thrown by a type that finds so only from
    /// the fields, it makes the decoder hand the sentence through raw.
    case otherSentence(address: String)
    /// There is not exactly one sentence in the text.
    case notOneSentence
}
