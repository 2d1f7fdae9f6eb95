// SPDX-License-Identifier: MIT
import GNSS

/// Detects signals that are stronger than those of real satellites.
struct SignalLevel: SkyTest {
    static let name = Integrity.Test.signalLevel
    static let evidence = Integrity.Evidence.signals
    static let unit = "dB-Hz"

    /// The minimum number of satellites for comparing the mean C/N0.
    private static let minimumCount = 4

    /// A value that no C/N0 reaches, in dB-Hz. A receiver that reports it from the start uses
    /// another scale, such as 0 to 99.
    private static let impossible = 70.0
    /// The number of lists without an `impossible` value after which the scale is known.
    private static let minimumLists = 30

    private var lists = 0
    private var hasOtherScale = false

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
        if lists < Self.minimumLists, strengths.highest > Self.impossible { hasOtherScale = true }
        lists = min(lists + 1, Self.minimumLists)
        guard !hasOtherScale else { return .unavailable }
        if strengths.count >= Self.minimumCount, strengths.mean > settings.highestMean {
            return .found(
                .soft, strengths.mean, beyond: settings.highestMean,
                details: (Double(strengths.count), 0))
        }
        guard strengths.highest > settings.highest else { return .quiet }
        return .found(.soft, strengths.highest, beyond: settings.highest)
    }
}
