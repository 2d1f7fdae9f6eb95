// SPDX-License-Identifier: MIT
import GNSS

/// Reports of an epoch's sentences about whether there is a fix, and with how many dimensions.
struct FixEvidence: Hashable, Sendable {
    /// Whether a sentence reported that there is no fix. This overrides all other evidence.
    private(set) var isVoid = false

    /// The most dimensions with evidence: within an epoch they only increase.
    private var mostDimensions = FixMode.noFix

    /// Whether the previous epoch had three dimensions.
    var wasThreeD = false

    /// Whether a sentence reported a fix without its dimensions.
    private var hasUnnamedFix = false

    /// Whether the receiver itself named two dimensions.
    private var isNamedTwoD = false

    /// The resulting dimensions. If no sentence names them, they are assumed to be the previous epoch's.
    var mode: FixMode {
        if isVoid { return .noFix }
        let isStillThreeD = wasThreeD && hasUnnamedFix && !isNamedTwoD
        return isStillThreeD ? .threeD : mostDimensions
    }

    mutating func reportNoFix() {
        isVoid = true
    }

    /// Clears the report of no fix, which belonged to another instant.
    mutating func clearNoFix() {
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
