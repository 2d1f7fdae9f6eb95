// SPDX-License-Identifier: MIT
import GNSS

/// Finds evidence if the receiver's own detector reports spoofing.
struct SpoofingReport: FixTest {
    static let name = Integrity.Test.spoofing
    static let evidence = Integrity.Evidence.detector
    static let unit = ""

    static func text(_ finding: Finding) -> String {
        finding.value > 2
            ? "receiver reports spoofing, by several detectors" : "receiver reports spoofing"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        switch epoch.fix.spoofing {
        case nil: .unavailable
        case .some(.none): .quiet
        case .indicated: .found(.hard, 2, beyond: 2)
        case .affirmed: .found(.hard, 3, beyond: 2)
        }
    }
}
