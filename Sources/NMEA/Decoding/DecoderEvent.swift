// SPDX-License-Identifier: MIT
public import GNSS

/// What a decoder makes of a stream.
public enum DecoderEvent: ~Escapable {
    /// A sentence with a right checksum, whatever the decoder made of it.
    case sentence(RawSentence)
    /// What started like a sentence and is none.
    case rejected(Rejection)
    /// A TAG block; it belongs to the sentence that follows.
    case tagBlock(TagBlock)
    /// An epoch is complete; the view is the last complete one, with the satellites of this fix.
    case fix(Fix, SatelliteView)
    /// The lists of satellites in view are complete, and so is the fix of their epoch, which was reported
    /// before: the view has its satellites and dilutions.
    case satellites(SatelliteView)
}
