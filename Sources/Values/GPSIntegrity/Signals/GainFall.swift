// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the gain of the receiver's amplifier fell below its mean over the last minutes,
/// because the antenna receives more power.
struct GainFall: FixTest {
    static let name = Integrity.Test.gainFall
    static let evidence = Integrity.Evidence.signals
    static let unit = ""

    /// The averaging time of the gain, in seconds.
    private static let averaging = 300.0
    /// The time after which the mean is used, in seconds.
    private static let minimumSpan = 60.0

    private var mean = 0.0
    private var seconds = 0.0
    private var last: Double?

    static func text(_ finding: Finding) -> String {
        "receiver's gain fell to \(String(100 * finding.value, decimals: 0)) % of its mean "
            + "(limit \(String(100 * finding.threshold, decimals: 0)) %)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let gain = epoch.fix.gain.map(Double.init), gain.isFinite else {
            return .unavailable
        }
        let now = epoch.moment.now
        let elapsed = last.map { now - $0 } ?? 0
        last = now
        defer {
            seconds = min(Self.averaging, seconds + elapsed)
            mean += (gain - mean) * (seconds > 0 ? min(1, elapsed / seconds) : 1)
        }
        guard seconds >= Self.minimumSpan, mean > 0 else { return .unavailable }
        guard gain < settings.gainFraction * mean else { return .quiet }
        return .found(.soft, gain / mean, beyond: settings.gainFraction)
    }
}
