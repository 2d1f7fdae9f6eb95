// SPDX-License-Identifier: MIT
import GNSS

/// Whether the position agrees with the one before an alarm, carried on by the reported velocity.
///
/// It adds up by how much the way of each epoch differs from its velocity. An alarm begins seconds after
/// its cause, so the comparison begins half a minute to a minute before it.
struct CarriedPosition: Sendable {
    private struct Carried {
        var deviation = LocalPlane.Place(east: 0, north: 0)
        var tolerance = 0.0
        var age = 0.0

        mutating func add(_ movement: Movement) {
            age += movement.elapsed
            tolerance += 0.05 * movement.elapsed
            if movement.elapsed > 2 { tolerance += movement.elapsed }
            if let residual = movement.residual {
                deviation.east += residual.east
                deviation.north += residual.north
            } else if let excess = movement.excess, movement.speed ?? 0 < 0.5 {
                // A receiver at rest may report no course.
                deviation.east += excess
            } else {
                tolerance = .infinity
            }
        }
    }

    /// Seconds after which a comparison begins anew, while there is no alarm.
    private static let period = 30.0
    /// Metres of tolerance beyond which nothing is confirmed.
    private static let most = 100.0

    private var older = Carried()
    private var newer = Carried()
    private var accuracy = 0.0

    /// Adds the movement of an epoch.
    mutating func add(_ movement: Movement, isAlarm: Bool) {
        older.add(movement)
        newer.add(movement)
        accuracy = movement.accuracy
        guard !isAlarm, newer.age >= Self.period else { return }
        (older, newer) = (newer, Carried())
    }

    /// Drops the comparison with earlier positions: the way in between is unknown.
    mutating func interrupt() {
        older.tolerance = .infinity
        newer.tolerance = .infinity
    }

    /// Begins anew: the present position is accepted.
    mutating func accept() { self = CarriedPosition() }

    /// Whether the position agrees with the earlier one.
    func agrees(_ settings: IntegrityMonitor.Settings) -> Bool {
        guard older.tolerance <= Self.most else { return false }
        return older.deviation.distance <= settings.stepAlarm.limit(accuracy) + older.tolerance
    }
}
