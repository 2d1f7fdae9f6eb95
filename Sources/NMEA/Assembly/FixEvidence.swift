// SPDX-License-Identifier: MIT
import GNSS

/// The reports in an epoch's sentences from which it is determined whether there is a fix, and in
/// how many dimensions.
struct FixEvidence: Hashable, Sendable {
    /// Whether a sentence reported the absence of a fix. This overrides all other evidence.
    private(set) var isVoid = false

    /// The largest number of dimensions reported. It only increases within an epoch.
    private var highestMode = FixMode.noFix

    /// Whether the previous epoch had three dimensions.
    var wasThreeD = false

    /// Whether a sentence reported a fix without its dimensions.
    private var hasUnnamedFix = false

    /// Whether the receiver itself reported a 2D fix (GSA).
    private var isNamedTwoD = false

    /// The dimensions according to all reports. If a fix is reported without its dimensions after a
    /// 3D fix, it counts as 3D unless the receiver reports 2D.
    var mode: FixMode {
        if isVoid { return .noFix }
        let isStillThreeD = wasThreeD && hasUnnamedFix && !isNamedTwoD
        return isStillThreeD ? .threeD : highestMode
    }

    mutating func reportNoFix() {
        isVoid = true
    }

    /// Clears the report of no fix, because it belonged to another instant.
    mutating func clearNoFix() {
        isVoid = false
    }

    mutating func support(_ mode: FixMode) {
        highestMode = max(highestMode, mode)
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
