// SPDX-License-Identifier: MIT
import GNSS

/// Detects that no digit of the position changes although the receiver reports a speed.
struct PositionFrozen: FixTest {
    static let name = Integrity.Test.positionFrozen
    static let evidence = Integrity.Evidence.motion
    static let unit = "m"

    /// The minimum reported speed that counts as motion, in metres per second. Receivers at rest
    /// report lower speeds.
    private static let minimumSpeed = 2.0

    private var distance = 0.0
    private var seconds = 0.0

    static func text(_ finding: Finding) -> String {
        let (seconds, speed) = finding.details
        return "position unchanged for \(String(seconds, decimals: 0)) s at a reported speed of "
            + "\(String(speed, atMostDecimals: 1)) m/s"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let movement = epoch.movement, let speed = movement.speed else {
            self = Self()
            return .unavailable
        }
        // A change of the position after a gap or during dead reckoning is not evidence that the
        // position is true.
        let isComparable = movement.isMeasured && movement.elapsed <= settings.stepTime
        let unsuspicious: Verdict = isComparable ? .quiet : .unavailable
        guard movement.isSame, speed >= Self.minimumSpeed else {
            self = Self()
            return unsuspicious
        }
        distance += speed * movement.elapsed
        seconds += movement.elapsed
        guard distance >= settings.frozenDistance else { return unsuspicious }
        return .found(.soft, distance, beyond: settings.frozenDistance, details: (seconds, speed))
    }
}
