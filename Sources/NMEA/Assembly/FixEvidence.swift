// SPDX-License-Identifier: MIT
import GNSS

/// What an epoch's sentences have reported about there being a fix, and of how many dimensions.
struct FixEvidence: Hashable, Sendable {
    /// A sentence reported that there is no fix; that wins over everything else.
    private(set) var isVoid = false

    /// The most dimensions that a sentence gave evidence for: within an epoch they only rise.
    private var mostDimensions = FixMode.noFix

    /// Whether the previous epoch had three dimensions.
    var wasThreeD = false

    /// A sentence reported a fix without its dimensions.
    private var hasUnnamedFix = false

    /// The receiver itself named two dimensions.
    private var isNamedTwoD = false

    /// What follows from all of it. Dimensions that nothing names are assumed to be the last epoch's.
    var mode: FixMode {
        if isVoid { return .noFix }
        let isStillThreeD = wasThreeD && hasUnnamedFix && !isNamedTwoD
        return isStillThreeD ? .threeD : mostDimensions
    }

    mutating func refute() {
        isVoid = true
    }

    /// Forgets that there is no fix: it was reported of another instant.
    mutating func reconsider() {
        isVoid = false
    }

    mutating func support(_ mode: FixMode) {
        mostDimensions = max(mostDimensions, mode)
    }

    mutating func supportWithoutDimensions() {
        hasUnnamedFix = true
        support(.twoD)
    }

    mutating func name(_ mode: FixMode) {
        isNamedTwoD = isNamedTwoD || mode == .twoD
        support(mode)
    }
}
