// SPDX-License-Identifier: MIT
package import GNSS

extension Epoch {
    /// The receiver's estimates of its error that `Fix` does not contain.
    package struct ReportedErrors: Hashable, Sendable {
        /// The one-sigma errors from GBS.
        package var expectedError = StandardDeviation()
        /// The 68 % accuracy from a UBX message or a proprietary sentence.
        var receiverAccuracy = Accuracy()
    }

    struct ReportedDate: Equatable {
        var date: CalendarDate
        /// The time of the sentence that reported the date. The time of another sentence may
        /// already belong to the next day.
        var time: TimeOfDay?
        /// Whether later epochs may use the date. They may not if a sentence with the status void
        /// (`V`) reported it.
        var isTrusted: Bool
        /// Whether later epochs may use the date only if this epoch is not void. ZDA has no status.
        var needsFix: Bool
        /// Whether the assembler has not used the date yet.
        var isNew: Bool
    }

    /// Returns whether a date may be real. Receivers that do not know the date report a day in
    /// January 1980, or in January of an earlier year.
    package static func isPlausible(_ date: CalendarDate) -> Bool {
        date.year > 1980 || date.month > 1
    }

    /// The dimensions of the fix according to `evidence`; `.noFix` without a position.
    var mode: FixMode { fix.coordinate == nil ? .noFix : evidence.mode }

    /// Whether later epochs may use the epoch's date, according to the sentences received so far;
    /// `true` without a date.
    @inline(__always)
    var isDateTrusted: Bool {
        guard let date else { return true }
        return date.isTrusted && (!date.needsFix || evidence.mode > .noFix)
    }

    /// The fraction of a second in the time of the epoch.
    @inline(__always)
    var phase: CyclePhase { CyclePhase(fix.timeOfDay?.nanosecond) }

    /// Returns whether a sentence reports a different date than this epoch; `false` unless both
    /// dates are known and trusted.
    @inline(never)
    func isOnDifferentDay(from sentence: some Sentence) -> Bool {
        var other = Epoch()
        sentence.contribute(to: &other)
        return other.date?.isTrusted == true && isOnDifferentDay(from: other.date?.date)
    }

    /// Returns whether the epoch's date differs from `other`; `false` if either date is unknown, or
    /// if the epoch's date is not trusted.
    func isOnDifferentDay(from other: CalendarDate?) -> Bool {
        guard let other, let date, date.isTrusted else { return false }
        return date.date != other
    }

    /// Completes `fix`, a copy of the epoch's fix: sets mode, quality, ellipsoidal altitude and
    /// accuracy. Without a fix, it removes the position.
    ///
    /// The assembler adds the time and the satellites in view. This method does not change the
    /// epoch. It is `mutating` because a nonmutating method would receive a copy of the epoch.
    mutating func complete(_ fix: inout Fix, assuming rangeError: RangeError) {
        let mode = mode
        if mode == .noFix {
            let time = fix.timeOfDay
            fix = fix.withoutPosition
            fix.timeOfDay = time
        }
        // Many receivers count at most twelve satellites, or only those of one constellation. The
        // list of used satellites is more accurate.
        if !satellitesUsed.isEmpty {
            fix.satellitesUsed = max(satellitesUsed.count, fix.satellitesUsed ?? 0)
        }
        guard mode > .noFix else { return }
        fix.mode = mode
        if fix.quality == .invalid { fix.quality = .autonomous }
        fix.removeUnknownSatelliteCount()
        if let altitude = fix.altitude, let separation = fix.geoidSeparation {
            fix.ellipsoidalAltitude = altitude + separation
        }
        fix.accuracy = accuracy(of: fix, assuming: rangeError)
        if fix.standardDeviation.isEmpty { fix.standardDeviation = errors.expectedError }
    }

    /// Returns the accuracy from the best source that is known. In order of preference, these are
    /// GST, the accuracy in UBX, GBS, the accuracy in a proprietary sentence, and the DOP times the
    /// assumed range error.
    ///
    /// A deviation of 0 counts as unknown: with one decimal, it is an error of less than 5 cm.
    @inline(__always)  // A call would copy the fix.
    private func accuracy(of fix: Fix, assuming rangeError: RangeError) -> Accuracy {
        var accuracy = fix.accuracy
        let range = rangeError.assumed(for: fix.quality)
        let (sigma, own) = (fix.standardDeviation, errors.receiverAccuracy)
        let expected =
            isRefined && own.horizontal != nil ? StandardDeviation() : errors.expectedError
        if let horizontal = sigma.horizontal, horizontal > 0 {
            accuracy.horizontal = Accuracy.planeFactor * horizontal
            accuracy.source = .standardDeviations
        } else if let horizontal = expected.horizontal, horizontal > 0 {
            accuracy.horizontal = Accuracy.planeFactor * horizontal
            accuracy.source = .expectedErrors
        } else if let horizontal = own.horizontal {
            accuracy.horizontal = horizontal
            accuracy.source = .receiver
        } else if let spherical = own.spherical {
            accuracy.spherical = spherical
            accuracy.source = .receiver
        } else if let range, let hdop = fix.dilution.hdop {
            accuracy.horizontal = Accuracy.planeFactor * hdop * range
            accuracy.source = .dilution
        }
        guard fix.mode == .threeD else { return accuracy }
        // A binary message reports an accuracy even for an impossible altitude, which is ignored.
        if isRefined, fix.altitude == nil, fix.ellipsoidalAltitude == nil { return accuracy }
        if let vertical = sigma.altitude, vertical > 0 {
            accuracy.vertical = vertical
        } else if let vertical = expected.altitude, vertical > 0 {
            accuracy.vertical = vertical
        } else {
            accuracy.vertical = own.vertical
        }
        if accuracy.vertical == nil, let range, let vdop = fix.dilution.vdop {
            accuracy.vertical = vdop * range
        }
        return accuracy
    }
}

extension StandardDeviation {
    fileprivate var isEmpty: Bool { horizontal == nil && altitude == nil }
}

extension Coordinate {
    /// Returns whether two positions are more than a kilometre apart. Rounding cannot explain such
    /// a distance.
    @inline(__always)
    func isFar(from other: Coordinate) -> Bool {
        // Only far positions are worth the time to calculate a distance.
        guard abs(latitude - other.latitude) > 0.005 || abs(longitude - other.longitude) > 0.005
        else { return false }
        return distance(to: other) > 1000
    }
}

/// The reports of an epoch's sentences about the existence and the dimensions of a fix.
extension Epoch {
    /// Records that a sentence reported the absence of a fix. This overrides all other evidence.
    /// Exception: a sentence of one constellation (GL, GA…) or of another device (AI, II…) overrides
    /// only reports of a fix with the same talker.
    public mutating func reportNoFix() {
        let part = address.part
        updateEvidence { $0.reportNoFix(of: part) }
    }

    /// Records that a sentence with a status field reports a fix (RMC, GLL).
    ///
    /// The fix counts as three-dimensional if the epoch has an altitude or at least four
    /// satellites, or if the previous fix was 3D and the receiver does not report 2D.
    public mutating func reportFix() {
        let isThreeD = fix.altitude != nil || satellitesUsed.count >= 4
        let part = address.part
        updateEvidence {
            $0.reportFix(of: part)
            $0.supportWithoutDimensions()
            if isThreeD { $0.support(.threeD) }
        }
    }

    /// Records that a sentence with a satellite count reports a fix (GGA, GNS). The fix counts as
    /// three-dimensional if the epoch has an altitude and the count is at least four.
    package mutating func reportFix(satellites: Int?) {
        let hasAltitude = fix.altitude != nil
        let isThreeD = hasAltitude && (satellites ?? 0) >= 4
        let part = address.part
        updateEvidence {
            $0.reportFix(of: part)
            $0.lacksAltitude = !hasAltitude
            $0.support(isThreeD ? .threeD : .twoD)
        }
    }

    /// Records the dimensions of the fix that the receiver reports (GSA). In any other sentence,
    /// they are also the report of a fix.
    package mutating func reportFix(_ mode: FixMode) {
        let part = address.part
        let isReport = mode > .noFix && address.formatter != GSA.formatter
        updateEvidence {
            if isReport { $0.reportFix(of: part) }
            $0.name(mode)
        }
    }

    @inline(__always)
    private mutating func updateEvidence(_ change: (inout FixEvidence) -> Void) {
        if hasContribution { return change(&evidence) }
        let before = (evidence.isVoid, evidence.mode)
        change(&evidence)
        if before != (evidence.isVoid, evidence.mode) { hasContribution = true }
    }
}

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
