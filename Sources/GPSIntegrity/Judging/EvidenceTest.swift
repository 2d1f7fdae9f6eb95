// SPDX-License-Identifier: MIT
import GNSS

/// One test of the evidence. It has a file of its own, and a line in `IntegrityMonitor`.
protocol EvidenceTest: Sendable {
    /// Its name.
    static var name: Integrity.Test { get }
    /// The kind of evidence it examines.
    static var evidence: Integrity.Evidence { get }
    /// The unit of its values.
    static var unit: String { get }

    /// Creates a test without history.
    init()

    /// Returns a sentence of a finding.
    static func text(_ finding: Finding) -> String
}

/// A test of each fix.
protocol FixTest: EvidenceTest {
    /// Examines the next fix.
    mutating func examine(
        _ epoch: EpochEvidence, _ settings: IntegrityMonitor.Settings
    ) -> Verdict
}

/// A test of each complete list of satellites.
protocol SkyTest: EvidenceTest {
    /// Examines the next list.
    mutating func examine(_ sky: SkyEvidence, _ settings: IntegrityMonitor.Settings) -> Verdict
}

/// The result of a test for one epoch.
enum Verdict {
    /// The epoch has no data for the test.
    case unavailable
    /// Nothing speaks against the position.
    case quiet
    /// Something does.
    case hit(Finding)
}

/// A value beyond its threshold.
struct Finding {
    /// How much a finding counts.
    enum Weight {
        /// A warning if it lasts.
        case soft
        /// A warning at once, because it is over in the next epoch.
        case event
        /// An alarm.
        case hard
    }

    var weight: Weight
    var value: Double
    var threshold: Double
    /// Further numbers of the test's sentence.
    var details: (Double, Double) = (0, 0)

    /// Whether a value is worse than another one: further beyond the threshold.
    func isWorse(than other: Double) -> Bool {
        value >= threshold ? value > other : value < other
    }
}
