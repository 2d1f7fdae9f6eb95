// SPDX-License-Identifier: MIT
import GNSS

/// Detects signals that are stronger than those of real satellites.
struct SignalLevel: SkyTest {
    static let name = Integrity.Test.signalLevel
    static let evidence = Integrity.Evidence.signals
    static let unit = "dB-Hz"

    /// The minimum number of satellites for comparing the mean C/N0.
    private static let minimumCount = 4

    static func text(_ finding: Finding) -> String {
        let value = String(finding.value, decimals: 1)
        let limit = String(finding.threshold, decimals: 0)
        return finding.details.0 > 0
            ? "mean C/N0 of \(String(finding.details.0, decimals: 0)) satellites is \(value) dB-Hz "
                + "(limit \(limit))"
            : "C/N0 of a satellite is \(value) dB-Hz (limit \(limit))"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        let strengths = sky.strengths
        guard strengths.count > 0 else { return .unavailable }
        if strengths.count >= Self.minimumCount, strengths.mean > settings.highestMean {
            return .hit(
                Finding(
                    weight: .soft, value: strengths.mean, threshold: settings.highestMean,
                    details: (Double(strengths.count), 0)))
        }
        guard strengths.highest > settings.highest else { return .quiet }
        return .hit(Finding(weight: .soft, value: strengths.highest, threshold: settings.highest))
    }
}
