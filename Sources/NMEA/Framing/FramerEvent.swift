// SPDX-License-Identifier: MIT

/// What a framer finds in a stream; every byte ends in exactly one event, line ends in none.
public enum FramerEvent: ~Escapable {
    /// A sentence whose checksum satisfies the policy.
    case sentence(RawSentence)
    /// What started like a sentence and is none.
    case rejected(Rejection)
    /// Bytes outside sentences: start-up noise, other protocols.
    case junk(count: Int)
    /// A whole binary frame whose own check value is right.
    case frame(BinaryFrame, count: Int)
    /// A TAG block, without its backslashes; `nil` where its checksum is wrong.
    case tagBlock(TagBlock?)
}

/// Binary protocols that are skipped by their length.
public enum BinaryFrame: Hashable, Sendable {
    /// u-blox: `B5 62`, class, id, length.
    case ubx
    /// RTCM 3: `D3`, length.
    case rtcm3
}
