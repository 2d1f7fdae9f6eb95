// SPDX-License-Identifier: MIT

/// Who says something: one kind of sentence of one talker. The assembler only tells them apart.
public struct Contributor: RawRepresentable, Hashable, Sendable {
    /// Any number that is the same for the same kind of sentence.
    public let rawValue: UInt64

    /// Makes a contributor.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
