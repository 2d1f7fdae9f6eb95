// SPDX-License-Identifier: MIT
import GNSS

/// A test that looks for evidence against positions. Each test has its own file, and is listed in
/// `Tests`.
protocol EvidenceTest: Sendable {
    typealias Settings = IntegrityMonitor.Settings

    /// The name of the test.
    static var name: Integrity.Test { get }
    /// The kind of evidence that the test examines.
    static var evidence: Integrity.Evidence { get }
    /// The unit of the test's values.
    static var unit: String { get }

    /// Creates a test in its initial state.
    init()

    /// Returns a description of a finding for users.
    static func text(_ finding: Finding) -> String
}

/// A test of each fix.
protocol FixTest: EvidenceTest {
    /// Examines the next fix.
    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict
}

/// A test that examines every complete list of satellites in view.
protocol SkyTest: EvidenceTest {
    /// Examines the next list.
    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict
}

/// The result of a test in one epoch.
enum Verdict {
    /// The epoch does not contain data for the test.
    case unavailable
    /// The test found no evidence against the position.
    case quiet
    /// The test found evidence against the position.
    case hit(Finding)

    /// Returns the verdict that `value` is beyond `threshold`.
    static func found(
        _ weight: Finding.Weight, _ value: Double, beyond threshold: Double,
        details: (Double, Double) = (0, 0), distance: Double = 0
    ) -> Verdict {
        .hit(
            Finding(
                weight: weight, value: value, threshold: threshold, details: details,
                distance: distance))
    }
}

/// The evidence that a test found: a value beyond its threshold.
struct Finding {
    /// How a finding changes the state.
    enum Weight {
        /// Causes a warning if it continues for `softDuration`.
        case soft
        /// Causes a warning immediately, because the evidence is present in only one epoch.
        case event
        /// Causes an alarm immediately.
        case hard
    }

    var weight: Weight
    var value: Double
    var threshold: Double
    /// Further numbers for `text(_:)`. Their meaning depends on the test.
    var details: (Double, Double) = (0, 0)
    /// The distance in metres that the position moved, for the text of `PositionStep`.
    var distance = 0.0

    /// Returns whether `value` is farther beyond the threshold than `other`.
    func isWorse(than other: Double) -> Bool {
        value >= threshold ? value > other : value < other
    }
}
