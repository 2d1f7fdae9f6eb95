// SPDX-License-Identifier: MIT
import GNSS

/// Finds evidence if the receiver's own detector reports jamming.
struct JammingReport: FixTest {
    static let name = Integrity.Test.jamming
    static let evidence = Integrity.Evidence.detector
    static let unit = ""

    /// Whether the previous fix had a position.
    private var hadPosition = false

    static func text(_ finding: Finding) -> String {
        let strength = finding.value > 2 ? "critical jamming" : "jamming"
        guard finding.details.0 > 0 else { return "receiver reports \(strength)" }
        return "receiver reports \(strength) at "
            + "\(String(finding.details.0 / 1e6, atMostDecimals: 3)) MHz"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        let frequency = Double(epoch.fix.jammedFrequency ?? 0)
        // Receivers also send reports after the fix of their epoch. The decoder adds these to the
        // next fix, so a report that there was no fix may belong to the first fix after it.
        let hasPositions = hadPosition && epoch.hasPosition
        hadPosition = epoch.hasPosition
        switch epoch.fix.jamming {
        case nil: return .unavailable
        case .some(.none): return .quiet
        case .warning:
            return .found(.soft, 2, beyond: 2, details: (frequency, 0))
        case .critical:
            // A position that is computed despite jamming is not reliable.
            return .found(hasPositions ? .hard : .soft, 3, beyond: 2, details: (frequency, 0))
        }
    }
}
