// SPDX-License-Identifier: MIT
import GNSS

/// The reports of an epoch's sentences about the existence and the dimensions of a fix.
struct FixEvidence: Hashable, Sendable {
    /// Whether the satellite receiver reported that it has no fix, in a sentence that concerns all
    /// its constellations together. This overrides all other evidence.
    private var receiverReportsNoFix = false

    /// Whether a sentence that concerns only one constellation, or that another device sent,
    /// reported that there is no fix. The receiver may still have one, so this overrides only
    /// reports of a fix in such sentences.
    private var partReportsNoFix = false

    /// Whether the satellite receiver reported a fix, in a sentence that concerns all its
    /// constellations together.
    private var receiverReportsFix = false

    /// Whether there is no fix according to all reports.
    var isVoid: Bool { receiverReportsNoFix || partReportsNoFix && !receiverReportsFix }

    /// The largest number of dimensions reported. It only increases within an epoch.
    private var highestMode = FixMode.noFix

    /// Whether the previous epoch had a three-dimensional fix.
    var wasThreeD = false

    /// Whether a sentence reported a fix without its dimensions.
    private var hasFixWithoutDimensions = false

    /// Whether the receiver itself reported a 2D fix (GSA).
    private var reportsTwoD = false

    /// The dimensions of the fix that a binary message reported; `nil` if none did. Sentences do
    /// not change them: an altitude or a number of satellites only suggests the dimensions.
    private var solution: FixMode?

    /// The dimensions according to all reports. If a fix is reported without its dimensions after a
    /// 3D fix, it counts as 3D unless the receiver reports 2D.
    var mode: FixMode {
        if isVoid { return .noFix }
        if let solution { return solution }
        let isStillThreeD = wasThreeD && hasFixWithoutDimensions && !reportsTwoD
        return isStillThreeD ? .threeD : highestMode
    }

    /// Whether the receiver itself reported that the fix has no dimensions (GSA).
    private var reportsNoDimensions = false

    /// Whether no sentence has reported a fix or the absence of one. GSA alone does not count.
    var isEmpty: Bool { !isVoid && highestMode == .noFix }

    /// Whether no sentence has reported a fix or the absence of one, not even GSA.
    var isSilent: Bool { isEmpty && !reportsNoDimensions }

    mutating func reportNoFix(ofPart isPart: Bool) {
        if isPart { partReportsNoFix = true } else { receiverReportsNoFix = true }
    }

    mutating func reportFix(ofPart isPart: Bool) {
        if !isPart { receiverReportsFix = true }
    }

    /// Clears the reports that there is no fix. Call it if they belonged to another instant.
    mutating func clearNoFix() {
        (receiverReportsNoFix, partReportsNoFix) = (false, false)
    }

    mutating func support(_ mode: FixMode) {
        highestMode = max(highestMode, mode)
    }

    mutating func supportWithoutDimensions() {
        hasFixWithoutDimensions = true
        support(.twoD)
    }

    mutating func name(_ mode: FixMode) {
        reportsTwoD = reportsTwoD || mode == .twoD
        reportsNoDimensions = reportsNoDimensions || mode == .noFix
        support(mode)
    }

    mutating func solve(_ mode: FixMode) {
        solution = mode
        support(mode)
    }
}
