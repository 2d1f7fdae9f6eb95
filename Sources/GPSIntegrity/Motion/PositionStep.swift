// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the position moved differently from the reported velocity.
///
/// It compares the movement between two fixes with the mean of their velocities. In turns and when
/// the speed changes, it allows for the velocities in between, which are unknown. `PositionGap`
/// covers the first seconds after a gap or a change of the fix type.
struct PositionStep: FixTest {
    static let name = Integrity.Test.positionStep
    static let evidence = Integrity.Evidence.motion
    static let unit = "m"

    static func text(_ finding: Finding) -> String {
        let (seconds, speed) = finding.details
        let text =
            "moved \(String(finding.distance, decimals: 0)) m in "
            + "\(String(seconds, atMostDecimals: 1)) s at a reported "
            + "\(String(speed, atMostDecimals: 1)) m/s"
        // Otherwise, it is not obvious what is wrong: it moved less, or in another direction.
        guard finding.distance - speed * seconds < finding.threshold else { return text }
        return text + ", \(String(finding.value, decimals: 0)) m from the expected position"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let movement = epoch.movement, movement.isSettled, movement.isMeasured,
            let excess = movement.excess
        else { return .unavailable }
        let warning = settings.stepWarning.limit(movement.accuracy) + movement.allowance
        // An unchanged position is not a step. `PositionFrozen` examines it.
        guard excess > warning, !movement.isSame else { return .quiet }
        let alarm = settings.stepAlarm.limit(movement.accuracy) + movement.allowance
        // A receiver that repeats its position, because it is lost or holds it at rest, moves on
        // with a step.
        let isHard = excess > alarm && movement.excessSinceStandstill ?? excess > alarm
        return .found(
            isHard ? .hard : .event, excess, beyond: isHard ? alarm : warning,
            details: (movement.elapsed, movement.speed ?? 0), distance: movement.distance)
    }
}
