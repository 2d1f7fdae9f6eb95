// SPDX-License-Identifier: MIT
import GNSS

/// The reports of an epoch's sentences about the existence and the dimensions of a fix.
struct FixEvidence: Hashable, Sendable {
    /// Whether the satellite receiver reported that it has no fix, in a sentence that concerns all
    /// its constellations together. This overrides all other evidence.
    private var receiverReportsNoFix = false

    /// The talker of the last sentence that concerns only one constellation, or that another device
    /// sent, and that reported that there is no fix; `nil` if there is none. The receiver or another
    /// device may still have a fix, so this overrides only reports with the same talker.
    private var partWithoutFix: UInt16?

    /// The talker of such a sentence that reported a fix, which no report with this talker has
    /// overridden; `nil` if there is none.
    private var partWithFix: UInt16?

    /// Whether the satellite receiver reported a fix, in a sentence that concerns all its
    /// constellations together.
    private var receiverReportsFix = false

    /// Whether there is no fix according to all reports.
    var isVoid: Bool { receiverReportsNoFix || isVoidByPart }

    /// Whether there is no fix according to sentences that each concern only one constellation, or
    /// that other devices sent. A report of a fix may follow.
    var isVoidByPart: Bool {
        partWithoutFix != nil && partWithFix == nil && !receiverReportsFix && !receiverReportsNoFix
    }

    /// The largest number of dimensions reported. It only increases within an epoch.
    private var highestMode = FixMode.noFix

    /// Whether the previous epoch had a three-dimensional fix.
    var wasThreeD = false

    /// Whether a sentence reported a fix without its dimensions.
    private var hasFixWithoutDimensions = false

    /// Whether a sentence that should have an altitude (GGA, GNS) has none.
    var lacksAltitude = false

    /// Whether the receiver itself reported a 2D fix (GSA).
    private var reportsTwoD = false

    /// The dimensions of the fix that a binary message reported; `nil` if none did. Sentences do
    /// not change them: an altitude or a number of satellites only suggests the dimensions.
    private var solution: FixMode?

    /// The dimensions according to all reports. If a fix is reported without its dimensions after a
    /// 3D fix, it counts as 3D unless the receiver reports 2D, or no altitude.
    var mode: FixMode {
        if isVoid { return .noFix }
        if let solution { return solution }
        let isStillThreeD =
            wasThreeD && hasFixWithoutDimensions && !reportsTwoD && !lacksAltitude
        return isStillThreeD ? .threeD : highestMode
    }

    /// Whether the receiver itself reported that the fix has no dimensions (GSA).
    private var reportsNoDimensions = false

    /// Whether no sentence has reported a fix or the absence of one. GSA alone does not count.
    var isEmpty: Bool { !isVoid && highestMode == .noFix }

    /// Whether no sentence has reported a fix or the absence of one, not even GSA.
    var isSilent: Bool { isEmpty && !reportsNoDimensions }

    /// Records that there is no fix. `part` is the address's `part`.
    mutating func reportNoFix(of part: UInt16?) {
        guard let part else {
            receiverReportsNoFix = true
            return
        }
        partWithoutFix = part
        if partWithFix == part { partWithFix = nil }
    }

    /// Records that there is a fix. `part` is the address's `part`.
    mutating func reportFix(of part: UInt16?) {
        guard let part else {
            receiverReportsFix = true
            return
        }
        if partWithoutFix != part, partWithFix == nil { partWithFix = part }
    }

    /// Clears the reports that there is no fix. Call it if they belonged to another instant.
    mutating func clearNoFix() {
        (receiverReportsNoFix, partWithoutFix) = (false, nil)
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
        receiverReportsFix = true
        support(mode)
    }
}
