// SPDX-License-Identifier: MIT

/// A sentence from another instrument, which sends at any time. Its values belong to the next fix.
public protocol InstrumentSentence: DeclaredSentence {}

extension InstrumentSentence {
    /// The sentence comes from another instrument, so its values belong to the next fix.
    public var timing: EpochTiming { .instrument }
}
