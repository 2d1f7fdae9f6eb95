// SPDX-License-Identifier: MIT
import GNSS

/// Detects signals that are stronger than those of real satellites.
struct SignalLevel: SkyTest {
    static let name = Integrity.Test.signalLevel
    static let evidence = Integrity.Evidence.signals
    static let unit = "dB-Hz"

    /// The minimum number of satellites for comparing the mean C/N0.
    private static let fewest = 4

    static func text(_ finding: Finding) -> String {
        let value = String(finding.value, decimals: 1)
        let limit = String(finding.threshold, decimals: 0)
        return finding.details.0 > 0
            ? "mean C/N0 of \(String(finding.details.0, decimals: 0)) satellites is \(value) dB-Hz "
                + "(limit \(limit))"
            : "C/N0 of a satellite is \(value) dB-Hz (limit \(limit))"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: IntegrityMonitor.Settings) -> Verdict {
        let heard = sky.heard
        guard heard.count > 0 else { return .unavailable }
        if heard.count >= Self.fewest, heard.mean > settings.highestMean {
            return .hit(
                Finding(
                    weight: .soft, value: heard.mean, threshold: settings.highestMean,
                    details: (Double(heard.count), 0)))
        }
        guard heard.highest > settings.highest else { return .quiet }
        return .hit(Finding(weight: .soft, value: heard.highest, threshold: settings.highest))
    }
}
