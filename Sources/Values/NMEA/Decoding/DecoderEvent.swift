// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// A result of decoding a stream.
public enum DecoderEvent: ~Escapable {
    /// A sentence with a valid checksum, whether or not it was decoded.
    case sentence(RawSentence)
    /// Bytes that start like a sentence but are not valid.
    case rejected(Rejection)
    /// A UBX frame, whether or not it was decoded. If the frame completes a fix or a satellite
    /// view, the event for the fix or view comes first.
    case ubx(UBXFrame)
    /// A TAG block. It belongs to the sentence that follows.
    case tagBlock(TagBlock)
    /// The fix of a complete epoch, with the last complete satellite view. The view is marked with
    /// the satellites that this fix uses.
    case fix(Fix, SatelliteView)
    /// A complete view of the satellites. The fix of its epoch was reported before it. The view
    /// contains the satellites used and the DOPs of that fix.
    case satellites(SatelliteView)
}
