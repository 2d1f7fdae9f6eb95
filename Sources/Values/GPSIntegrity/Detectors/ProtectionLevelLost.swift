// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver has a 3D fix, but no longer reports a valid protection level.
struct ProtectionLevelLost: FixTest {
    static let name = Integrity.Test.protectionLevel
    static let evidence = Integrity.Evidence.detector
    static let unit = "s"

    private var presence = Presence()

    static func text(_ finding: Finding) -> String {
        "receiver no longer reports a valid protection level"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard epoch.fix.mode == .threeD else {
            self = Self()
            return .unavailable
        }
        let hasLevel = epoch.fix.protectionLevel != nil
        let silence = presence.add(
            hasLevel, at: epoch.moment.now, after: settings.detectorTime)
        guard let silence else { return hasLevel ? .quiet : .unavailable }
        return .found(.soft, silence, beyond: 0)
    }
}
