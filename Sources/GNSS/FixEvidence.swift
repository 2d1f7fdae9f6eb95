// SPDX-License-Identifier: MIT

/// What an epoch's sentences have said so far about there being a fix, and of how many dimensions.
struct FixEvidence: Hashable, Sendable {
    /// A sentence said that there is no fix; that wins over everything else.
    private(set) var isVoid = false

    /// The most dimensions that a sentence gave evidence for: within an epoch they only rise.
    private var mostDimensions = FixMode.noFix

    /// Whether the previous epoch had three dimensions; the assembler sets it.
    var wasThreeD = false

    /// A sentence said that there is a fix, without a word on its dimensions.
    private var isSupportedAtLarge = false

    /// The receiver itself named two dimensions.
    private var isNamedTwoD = false

    /// The verdict. That the dimensions are those of the epoch before is but assumed.
    var mode: FixMode {
        if isVoid { return .noFix }
        let isStillThreeD = wasThreeD && isSupportedAtLarge && !isNamedTwoD
        return isStillThreeD ? .threeD : mostDimensions
    }

    mutating func refute() {
        isVoid = true
    }

    mutating func reconsider() {
        isVoid = false
    }

    mutating func support(_ mode: FixMode) {
        mostDimensions = max(mostDimensions, mode)
    }

    mutating func supportAtLarge() {
        isSupportedAtLarge = true
        support(.twoD)
    }

    mutating func name(_ mode: FixMode) {
        isNamedTwoD = isNamedTwoD || mode == .twoD
        support(mode)
    }
}
