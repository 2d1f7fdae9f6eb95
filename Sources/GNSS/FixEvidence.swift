// SPDX-License-Identifier: MIT

/// What an epoch's sentences have said so far about there being a fix, and of how many dimensions.
struct FixEvidence: Hashable, Sendable {
    /// A sentence said that there is no fix; that wins over everything else.
    private(set) var isVoid = false

    /// The most dimensions that a sentence gave evidence for: within an epoch they only rise.
    private var mostDimensions = FixMode.noFix

    /// Whether the previous epoch had three dimensions; the assembler sets it.
    var wasThreeD = false

    /// The verdict.
    var mode: FixMode { isVoid ? .noFix : mostDimensions }

    mutating func refute() {
        isVoid = true
    }

    mutating func reconsider() {
        isVoid = false
    }

    mutating func support(_ mode: FixMode) {
        mostDimensions = max(mostDimensions, mode)
    }
}
