// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the position moved differently from the reported velocity.
///
/// It compares the movement between two fixes with the mean of their velocities. In turns and when
/// the speed changes, it allows for the velocities in between, which are unknown. It also compares
/// the movements of up to three seconds together, for a step in several parts. `PositionGap` covers
/// the first seconds after a gap or a change of the fix type.
struct PositionStep: FixTest {
    /// The sum of consecutive movements.
    private struct Movements {
        /// The difference from the movement calculated from the velocities, in metres.
        var residual = LocalPlane.Point(east: 0, north: 0)
        /// The duration in seconds.
        var elapsed = 0.0
        /// The distance in metres.
        var distance = 0.0
        /// The distance calculated from the reported speeds, in metres.
        var travel = 0.0
        /// The part of `residual` that changes of the velocity can explain, in metres.
        var allowance = 0.0
        /// The largest combined accuracy in metres.
        var accuracy = 0.0

        mutating func add(_ other: Movements) {
            residual = residual + other.residual
            elapsed += other.elapsed
            distance += other.distance
            travel += other.travel
            allowance += other.allowance
            accuracy = max(accuracy, other.accuracy)
        }
    }

    /// The maximum duration of movements that are compared together, in seconds.
    private static let longest = 3.5
    /// The minimum duration of a part in `recent`, except the newest part, in seconds.
    private static let partLength = 0.9
    /// The maximum number of parts in `recent`.
    private static let recentCount = 3

    /// The last movements without a step, combined into parts of about a second. The newest part is
    /// the last element.
    private var recent: [Movements] = []

    static let name = Integrity.Test.positionStep
    static let evidence = Integrity.Evidence.motion
    static let unit = "m"

    static func text(_ finding: TestHit) -> String {
        let (seconds, speed) = finding.details
        let text =
            "moved \(String(finding.distance, decimals: 0)) m in "
            + "\(String(seconds, atMostDecimals: 1)) s at a reported speed of "
            + "\(String(speed, atMostDecimals: 1)) m/s"
        // If the distance itself is plausible, the position moved too little or in a wrong
        // direction, so the text also contains the deviation.
        guard finding.distance - speed * seconds < finding.threshold else { return text }
        return text + ", \(String(finding.value, decimals: 0)) m from the expected position"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let movement = epoch.movement, movement.isSettled, movement.isMeasured,
            let excess = movement.excess
        else {
            recent.removeAll(keepingCapacity: true)
            return .unavailable
        }
        let warning = settings.stepWarning.limit(movement.accuracy) + movement.allowance
        // An unchanged position is not a step. `PositionFrozen` examines it.
        guard excess > warning, !movement.isSame else { return examineRecent(movement, settings) }
        recent.removeAll(keepingCapacity: true)
        let alarm = settings.stepAlarm.limit(movement.accuracy) + movement.allowance
        // A receiver may repeat its position, because it has lost the signals or holds the position
        // at rest. When it resumes, the position moves with a step.
        let isHard = excess > alarm && movement.excessSinceStandstill ?? excess > alarm
        return .found(
            isHard ? .hard : .event, excess, beyond: isHard ? alarm : warning,
            details: (movement.elapsed, movement.speed ?? 0), distance: movement.distance)
    }

    /// Examines a movement without a step together with those before it. A step in several parts is
    /// only an event, because a receiver may report its velocity late.
    private mutating func examineRecent(_ movement: Movement, _ settings: Settings) -> Verdict {
        // The excess is smaller than the residual if the receiver repeats positions, or does not
        // report speeds. Residuals are then not errors.
        guard let residual = movement.residual, movement.excess == residual.distance,
            !movement.isSame, movement.excessSinceStandstill == nil
        else {
            recent.removeAll(keepingCapacity: true)
            return .quiet
        }
        let new = Movements(
            residual: residual, elapsed: movement.elapsed, distance: movement.distance,
            travel: (movement.speed ?? 0) * movement.elapsed, allowance: movement.allowance,
            accuracy: movement.accuracy)
        if let last = recent.indices.last, recent[last].elapsed < Self.partLength {
            recent[last].add(new)
        } else {
            if recent.count == Self.recentCount { recent.removeFirst() }
            recent.append(new)
        }
        var sum = Movements()
        for part in recent.reversed() {
            sum.add(part)
            guard sum.elapsed <= Self.longest else { break }
            let limit = settings.stepWarning.limit(sum.accuracy) + sum.allowance
            guard sum.residual.distance > limit else { continue }
            recent.removeAll(keepingCapacity: true)
            return .found(
                .event, sum.residual.distance, beyond: limit,
                details: (sum.elapsed, sum.travel / sum.elapsed), distance: sum.distance)
        }
        return .quiet
    }
}

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

    static func text(_ finding: TestHit) -> String {
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

/// Detects that a position after a gap or a change of fix type, or in the seconds after it, is
/// farther from the previous position than a vehicle can travel.
struct PositionGap: FixTest {
    static let name = Integrity.Test.positionGap
    static let evidence = Integrity.Evidence.motion
    static let unit = "m"

    static func text(_ finding: TestHit) -> String {
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
