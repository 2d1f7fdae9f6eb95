// SPDX-License-Identifier: MIT
import GNSS

/// The way from one position to the next.
struct Movement: Sendable {
    /// Seconds.
    var elapsed: Double
    /// Metres moved.
    var distance: Double
    /// The difference to the way that the mean velocity gives; `nil` without velocities.
    var residual: LocalPlane.Place?
    /// Metres by which the way differs at least; `nil` without speeds.
    var excess: Double?
    /// The mean reported speed in metres per second; `nil` without speeds.
    var speed: Double?
    /// The root of both positions' squared accuracies, in metres.
    var accuracy: Double
    /// Whether neither the fix type changed nor a gap ended recently.
    var isSettled: Bool
    /// Whether the position is the same to the last digit.
    var isSame: Bool
    /// Whether both positions come from satellites: not dead reckoning, not typed in.
    var isMeasured: Bool
}

/// Finds movements.
struct MovementTracker: Sendable {
    private struct Point {
        var coordinate: Coordinate
        var altitude: Double?
        var velocity: LocalPlane.Place?
        var speed: Double?
        var accuracy: Double
        var mode: FixMode
        var quality: FixQuality
        var now: Double
    }

    /// Metres, for fixes without an accuracy.
    private static let assumedAccuracy = 10.0

    private var last: Point?
    /// Seconds by the receiver's time since `last`; `nil` if an epoch between had no time.
    private var elapsed: Double? = 0
    /// Since when neither the fix type changed nor a gap ended.
    private var settledSince = 0.0

    /// Returns the movement to a fix.
    mutating func add(
        _ fix: Fix, _ moment: Moment, step: Double?, longest: Double
    ) -> Movement? {
        elapsed = elapsed.flatMap { sum in step.map { sum + $0 } }
        guard let point = Self.point(of: fix, moment.now) else { return nil }
        defer { (last, elapsed) = (point, 0) }
        guard let last else {
            settledSince = moment.now
            return nil
        }
        // By arrival if the receiver's time jumped.
        let received = point.now - last.now
        let own = elapsed.flatMap { $0 > 0 && $0 <= longest ? $0 : nil }
        let seconds = own ?? received
        guard seconds > 0 else { return nil }
        if own == nil || last.mode != point.mode || last.quality != point.quality {
            settledSince = moment.now
        }
        let way = point.coordinate.offset(from: last.coordinate)
        var movement = Movement(
            elapsed: seconds, distance: way.distance,
            accuracy: (last.accuracy * last.accuracy + point.accuracy * point.accuracy)
                .squareRoot(),
            isSettled: own != nil && point.now - settledSince >= longest,
            isSame: point.coordinate == last.coordinate && point.altitude == last.altitude,
            isMeasured: Self.isMeasured(last.quality) && Self.isMeasured(point.quality))
        if let a = last.speed, let b = point.speed {
            movement.speed = (a + b) / 2
            movement.excess = max(0, movement.distance - (a + b) / 2 * seconds)
        }
        if let a = last.velocity, let b = point.velocity {
            let residual = LocalPlane.Place(
                east: way.east - (a.east + b.east) / 2 * seconds,
                north: way.north - (a.north + b.north) / 2 * seconds)
            movement.residual = residual
            movement.excess = residual.distance
        }
        return movement
    }

    private static func isMeasured(_ quality: FixQuality) -> Bool {
        quality != .estimated && quality != .manual
    }

    private static func point(of fix: Fix, _ now: Double) -> Point? {
        guard fix.mode > .noFix, let coordinate = fix.coordinate else { return nil }
        let speed = fix.speedOverGround
        var velocity: LocalPlane.Place?
        if let speed, let course = fix.course {
            let (sine, cosine) = PortableMath.sinCos(course.radians)
            velocity = LocalPlane.Place(east: speed * sine, north: speed * cosine)
        }
        let stated = fix.accuracy.horizontal.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        return Point(
            coordinate: coordinate, altitude: fix.altitude ?? fix.ellipsoidalAltitude,
            velocity: velocity, speed: speed, accuracy: stated ?? assumedAccuracy,
            mode: fix.mode, quality: fix.quality, now: now)
    }
}
