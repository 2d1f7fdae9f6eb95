// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the position moved differently from the reported velocity.
///
/// It compares the movement between two fixes with the mean of their velocities. `PositionGap`
/// covers the first seconds after a gap or a change of the fix type.
struct PositionStep: FixTest {
    static let name = Integrity.Test.positionStep
    static let evidence = Integrity.Evidence.motion
    static let unit = "m"

    static func text(_ finding: Finding) -> String {
        let seconds = String(finding.details.0, atMostDecimals: 1)
        let speed = String(finding.details.1, atMostDecimals: 1)
        let moved = String(finding.value, decimals: 0)
        return "moved \(moved) m in \(seconds) s at a reported \(speed) m/s"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let movement = epoch.movement, movement.isSettled, movement.isMeasured,
            let excess = movement.excess
        else { return .unavailable }
        let warning = settings.stepWarning.limit(movement.accuracy)
        // An unchanged position is not a step. `PositionFrozen` examines it.
        guard excess > warning, !movement.isSame else { return .quiet }
        let alarm = settings.stepAlarm.limit(movement.accuracy)
        // A receiver that repeats its position, because it is lost or holds it at rest, moves on
        // with a step.
        let isHard = excess > alarm && movement.excessSinceStandstill ?? excess > alarm
        return .hit(
            Finding(
                weight: isHard ? .hard : .event, value: excess,
                threshold: isHard ? alarm : warning,
                details: (movement.elapsed, movement.speed ?? 0)))
    }
}
