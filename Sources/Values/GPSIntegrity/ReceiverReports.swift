// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver has a 3D fix, but no longer reports the state of its jamming or
/// spoofing detector.
///
/// u-blox's spoofing detector needs several satellite systems. A false signal that contains only
/// GPS disables it.
struct DetectorSilent: FixTest {
    static let name = Integrity.Test.detectorSilent
    static let evidence = Integrity.Evidence.detector
    static let unit = "s"

    private var jamming = Presence()
    private var spoofing = Presence()

    static func text(_ finding: Finding) -> String {
        let detector = finding.details.0 > 0 ? "spoofing" : "jamming"
        return "receiver no longer reports whether there is \(detector)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard epoch.fix.mode == .threeD else {
            self = Self()
            return .unavailable
        }
        let (now, duration) = (epoch.moment.now, settings.detectorTime)
        let jamming = jamming.add(epoch.fix.jamming != nil, at: now, after: duration)
        let spoofing = spoofing.add(epoch.fix.spoofing != nil, at: now, after: duration)
        guard let silence = spoofing ?? jamming else { return .unavailable }
        return .found(.soft, silence, beyond: 0, details: (spoofing == nil ? 0 : 1, 0))
    }
}
