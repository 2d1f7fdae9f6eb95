// SPDX-License-Identifier: MIT
import GNSS

/// Checks whether the position during an alarm agrees with a position from before the alarm,
/// extrapolated with the reported velocities.
///
/// It sums the differences between the movement in each epoch and the movement calculated from the
/// velocity. An alarm begins seconds after its cause, so the sum starts 30 to 60 seconds before the
/// alarm.
struct ExtrapolatedPosition: Sendable {
    /// The sum of `Movement.residual` over all movements since a start time.
    private struct Sum {
        var deviation = LocalPlane.Point(east: 0, north: 0)
        var tolerance = 0.0
        var age = 0.0

        /// Adds a movement. `longest` is the longest time between two fixes that is not a gap, in
        /// seconds.
        mutating func add(_ movement: Movement, longest: Double) {
            age += movement.elapsed
            tolerance += 0.05 * movement.elapsed
            if movement.elapsed > longest { tolerance += movement.elapsed }
            if let residual = movement.residual {
                deviation = deviation + residual
            } else if movement.speed ?? 0 < 0.5 {
                // A receiver at rest may report no course, so the residual is unknown. The excess
                // in the direction of the movement replaces it; noise in all directions cancels
                // out. Without a speed, only a receiver that remains in place agrees.
                let excess = movement.excess ?? movement.distance
                let part = excess / max(movement.distance, excess, .leastNormalMagnitude)
                deviation = deviation + movement.way * part
            } else {
                tolerance = .infinity
            }
        }
    }

    /// The age in seconds at which the newer sum replaces the older sum, unless there is an alarm.
    private static let period = 30.0
    /// The largest tolerance with which a position can be confirmed, in metres.
    private static let maximumTolerance = 100.0

    private var older = Sum()
    private var newer = Sum()
    private var accuracy = 0.0

    /// Adds the movement of an epoch. `longest` is the longest time between two fixes that is not a
    /// gap, in seconds.
    mutating func add(_ movement: Movement, longest: Double, isAlarm: Bool) {
        older.add(movement, longest: longest)
        newer.add(movement, longest: longest)
        accuracy = movement.accuracy
        guard !isAlarm, newer.age >= Self.period else { return }
        (older, newer) = (newer, Sum())
    }

    /// Prevents a confirmation with earlier positions, because the movement since then is unknown.
    mutating func interrupt() {
        older.tolerance = .infinity
        newer.tolerance = .infinity
    }

    /// Starts again from the current or the next position: the user has accepted it, or there is no
    /// alarm.
    mutating func accept() { self = ExtrapolatedPosition() }

    /// Returns whether the current position agrees with the extrapolated position; `false` without
    /// two positions to compare.
    func agrees(_ settings: IntegrityMonitor.Settings) -> Bool {
        guard older.age > 0, older.tolerance <= Self.maximumTolerance else { return false }
        return older.deviation.distance <= settings.stepAlarm.limit(accuracy) + older.tolerance
    }
}
