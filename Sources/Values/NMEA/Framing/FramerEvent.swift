// SPDX-License-Identifier: MIT

/// An element that the framer finds in a byte stream. Every byte except line ends belongs to
/// exactly one event.
public enum FramerEvent: ~Escapable {
    /// A sentence whose checksum satisfies the policy.
    case sentence(RawSentence)
    /// Bytes that start like a sentence but are not valid.
    case rejected(Rejection)
    /// Bytes outside sentences, such as start-up noise or other protocols.
    case junk(count: Int)
    /// A complete binary frame with a valid check value, including its header.
    case frame(BinaryFrame, Span<UInt8>)
    /// A TAG block without its backslashes; `nil` if its checksum is wrong.
    case tagBlock(TagBlock?)
}

/// A binary protocol whose frames the framer recognises between sentences.
public enum BinaryFrame: Hashable, Sendable {
    /// A u-blox frame: `B5 62`, class, id, length.
    case ubx
    /// An RTCM 3 frame: `D3`, length.
    case rtcm3
}
