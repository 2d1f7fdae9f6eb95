// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver's number of leap seconds differs from the number that was announced
/// when this program was written.
struct LeapSeconds: FixTest {
    static let name = Integrity.Test.leapSeconds
    static let evidence = Integrity.Evidence.time
    static let unit = "s"

    static func text(_ finding: Finding) -> String {
        "receiver uses \(String(finding.value, decimals: 0)) leap seconds instead of "
            + String(finding.threshold, decimals: 0)
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let own = epoch.fix.leapSeconds, let date = epoch.fix.time?.date, epoch.hasPosition
        else { return .unavailable }
        let known = GPSTime.leapSeconds(on: date)
        guard Int(own) != known else { return .unavailable }
        return .found(.soft, Double(own), beyond: Double(known))
    }
}
