// SPDX-License-Identifier: MIT
import GNSS

/// Detects that a position after a gap or a change of fix type, or in the seconds after it, is
/// farther from the previous position than a vehicle can travel.
struct PositionGap: FixTest {
    static let name = Integrity.Test.positionGap
    static let evidence = Integrity.Evidence.motion
    static let unit = "m"

    static func text(_ finding: Finding) -> String {
        let seconds = String(finding.details.0, atMostDecimals: 1)
        let speed = String(finding.details.1, atMostDecimals: 1)
        return "moved \(String(finding.value, decimals: 0)) m in a gap of \(seconds) s, with "
            + "\(speed) m/s before and after (limit \(String(finding.threshold, decimals: 0)) m)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        // A plausible position after a gap is not evidence that the position is true, so the test
        // never returns `quiet`.
        guard let movement = epoch.movement, movement.isTimed, !movement.isSettled,
            movement.isMeasured, let speed = movement.speed, movement.elapsed <= settings.longestGap
        else { return .unavailable }
        let time = movement.elapsed
        let reach = speed * time + settings.gapAcceleration / 2 * time * time
        let base = settings.stepAlarm
        let limit = base.metres + base.accuracies * movement.accuracy + reach
        guard movement.distance > limit else { return .unavailable }
        return .found(.event, movement.distance, beyond: limit, details: (time, speed))
    }
}
