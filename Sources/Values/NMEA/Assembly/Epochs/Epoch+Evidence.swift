// SPDX-License-Identifier: MIT
public import GNSS

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
    public mutating func reportFix(satellites: Int?) {
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
    public mutating func reportFix(_ mode: FixMode) {
        let part = address.part
        let isReport = mode > .noFix && address.formatter != GSA.formatter
        updateEvidence {
            if isReport { $0.reportFix(of: part) }
            $0.name(mode)
        }
    }

    @inline(__always)
    private mutating func updateEvidence(_ change: (inout FixEvidence) -> Void) {
        let before = (evidence.isVoid, evidence.mode)
        change(&evidence)
        if before != (evidence.isVoid, evidence.mode) { hasContribution = true }
    }
}
