// SPDX-License-Identifier: MIT
import GNSS

/// The input of a `FixTest`: a fix, with values derived from earlier fixes.
struct EpochEvidence: Sendable {
    /// The receiver's fix.
    var fix: Fix
    /// The time when the fix was received.
    var moment: EpochTime
    /// The time since the previous fix in seconds, according to the times of the fixes; `nil` if
    /// either fix has no time.
    var step: Double?
    /// The movement since the previous position; `nil` if either position is unknown.
    var movement: Movement?
    /// The time since the first fix after the monitor was created or reset, in seconds.
    var age: Double
    /// Whether the first fix after the monitor was created or reset had no position, because the
    /// receiver was searching for satellites.
    var beganWithSearch: Bool

    /// Whether the fix has a position.
    var hasPosition: Bool { fix.hasPosition }
}

/// The input of a `SkyTest`: a complete satellite list.
struct SkyEvidence: Sendable {
    /// The satellites in the list.
    let view: SatelliteView
    /// The C/N0 of the strongest signal of each received satellite.
    let strengths: Strengths
    /// The time when the list was received.
    let moment: EpochTime
    /// The altitude of the last fix in metres above the ellipsoid or, if unknown, above mean sea
    /// level; `nil` if both are unknown.
    let altitude: Double?
    /// Whether the receiver is known to measure C/N0. Others may report a constant. Receivers that
    /// report the accuracy of their time, which only u-blox's chips do in UBX, measure C/N0.
    let isMeasured: Bool

    init(_ view: SatelliteView, _ moment: EpochTime, altitude: Double?, isMeasured: Bool) {
        self.view = view
        self.moment = moment
        self.altitude = altitude
        self.isMeasured = isMeasured
        strengths = Strengths(of: view)
    }
}

extension Fix {
    var hasPosition: Bool { mode > .noFix && coordinate != nil }
}

/// The time when an epoch was received.
struct EpochTime: Sendable {
    /// The time in seconds since the first fix that the `IntegrityMonitor` received. It never goes
    /// back.
    var now = 0.0
    /// The time on the machine's monotonic clock; `nil` for a recording.
    var instant: MonotonicInstant?
    /// The UTC time; `nil` if unknown.
    var time: UTCTime?
    /// The time of the system's clock; `nil` for a recording.
    var system: UTCTime?
}

/// Computes the time of an `IntegrityMonitor` from the arrival times or, for a recording, from the
/// times of the fixes.
struct Timeline: Sendable {
    /// The longest step of `EpochTime.now` in a recording, in seconds. After such a step, all
    /// history has expired. The limit keeps sums of seconds precise when a receiver corrects its
    /// date by years.
    private static let longestStep = 86_400.0

    private(set) var moment = EpochTime()
    private var fixes = FixClock()
    private var last: MonotonicInstant?

    /// Advances to a fix. Returns the seconds since the previous fix according to their own times.
    mutating func advance(to fix: Fix, _ arrival: MonotonicInstant?, _ time: UTCTime?) -> Double? {
        let step = fixes.step(to: fix)
        if let arrival, let last {
            moment.now += max(0, arrival.seconds(since: last))
        } else if arrival == nil, let step {
            moment.now += min(max(0, step), Self.longestStep)
        }
        last = arrival
        moment.instant = arrival
        moment.time = time ?? fix.time
        moment.system = time
        return step
    }

    /// Ignores the time until the next fix in a recording. Call it after a gap of unknown length.
    mutating func restart() { fixes = FixClock() }
}

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

/// Observes the digits of a receiver's positions: how coarse they are, and for how long they have
/// not changed.
struct PositionDigits: Sendable {
    /// The number of hundredths of a minute in a degree. Positions without finer digits are coarse.
    private static let coarseUnits = 6000.0
    /// The length of a hundredth of a minute of latitude, in metres.
    private static let coarseLength = 18.52
    /// The number of different positions after which the resolution is known.
    private static let minimumCount = 3
    /// The maximum time, in seconds, for which the receiver is assumed to have moved while the
    /// digits did not change.
    private static let longestStandstill = 60.0

    private var isCoarse = true
    private var count = 0
    /// The speed when the digits last changed in metres per second, and the time since then in
    /// seconds.
    private var still: (speed: Double?, seconds: Double) = (nil, 0)

    /// The distance between two positions that differ in the last digit, in metres; 0 if it is
    /// small enough to be ignored.
    var resolution: Double { isCoarse && count >= Self.minimumCount ? Self.coarseLength : 0 }

    /// Adds the first position.
    mutating func begin(_ coordinate: Coordinate, speed: Double?) {
        count = 1
        isCoarse = Self.isCoarse(coordinate)
        still = (speed, 0)
    }

    /// Adds a position that was measured `seconds` after the previous one. `isSame` is `true` if
    /// both positions are equal.
    ///
    /// Returns `nil`, unless the position differs from at least two equal positions before it, and
    /// the speeds are known. In the result, `seconds` is the time since the first of the equal
    /// positions. `reach` is the distance in metres that the receiver may have moved in that time.
    mutating func add(
        _ coordinate: Coordinate, isSame: Bool, speed: Double?, after seconds: Double
    ) -> (seconds: Double, reach: Double)? {
        if isSame {
            still.seconds += seconds
            return nil
        }
        count = min(count + 1, Self.minimumCount)
        isCoarse = isCoarse && Self.isCoarse(coordinate)
        defer { still = (speed, 0) }
        guard still.seconds > 0, let former = still.speed, let speed else { return nil }
        let time = still.seconds + seconds
        return (time, (former + speed) / 2 * min(time, Self.longestStandstill))
    }

    /// Returns whether a position is a multiple of a hundredth of a minute.
    private static func isCoarse(_ coordinate: Coordinate) -> Bool {
        func isWhole(_ degrees: Double) -> Bool {
            let units = degrees * coarseUnits
            return abs(units - units.rounded()) < 1e-4
        }
        return isWhole(coordinate.latitude) && isWhole(coordinate.longitude)
    }
}
