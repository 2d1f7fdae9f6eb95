// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// The results of decoding a stream.
public enum DecoderEvent: ~Escapable {
    /// A sentence with a valid checksum, decoded or not.
    case sentence(RawSentence)
    /// Bytes that start like a sentence but are not valid.
    case rejected(Rejection)
    /// A UBX frame, decoded or not. What it completes was reported before.
    case ubx(UBXFrame)
    /// A TAG block. It belongs to the sentence that follows.
    case tagBlock(TagBlock)
    /// The fix of a complete epoch. The view is the last complete one, with the satellites of this
    /// fix.
    case fix(Fix, SatelliteView)
    /// The lists of satellites in view are complete. The fix of their epoch was reported before;
    /// the view has its satellites and dilutions.
    case satellites(SatelliteView)
}
