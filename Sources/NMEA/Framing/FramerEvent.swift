// SPDX-License-Identifier: MIT

/// An element of a stream. Every byte except line ends belongs to exactly one event.
public enum FramerEvent: ~Escapable {
    /// A sentence whose checksum satisfies the policy.
    case sentence(RawSentence)
    /// Bytes that start like a sentence but are not valid.
    case rejected(Rejection)
    /// Bytes outside sentences: start-up noise or other protocols.
    case junk(count: Int)
    /// A whole binary frame with a valid check value, with its header.
    case frame(BinaryFrame, Span<UInt8>)
    /// A TAG block without its backslashes; `nil` if its checksum is wrong.
    case tagBlock(TagBlock?)
}

/// Binary protocols whose frames are found between sentences.
public enum BinaryFrame: Hashable, Sendable {
    /// u-blox: `B5 62`, class, id, length.
    case ubx
    /// RTCM 3: `D3`, length.
    case rtcm3
}
