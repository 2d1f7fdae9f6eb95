// SPDX-License-Identifier: MIT
import GNSS

/// The movement from one position to the next.
struct Movement: Sendable {
    /// The duration in seconds.
    var elapsed: Double
    /// Whether the duration is known. In a recording, it is unknown if a fix without a time is
    /// between the positions: the receiver may have been switched off and on again.
    var isTimed: Bool
    /// The displacement in metres.
    var way: LocalPlane.Point
    /// The displacement minus the one calculated from the mean velocity, in metres; `nil` if either
    /// fix has no velocity.
    var residual: LocalPlane.Point?
    /// The deviation from the reported motion, in metres: the length of `residual` or, without
    /// velocities, the distance minus the distance that the speeds allow. The value is reduced for
    /// receivers that repeat positions or always report a speed of 0. `nil` if either fix has no
    /// speed.
    var excess: Double?
    /// The part of `excess` that a change of the velocity during the movement can explain, in
    /// metres.
    var allowance = 0.0
    /// The mean reported speed in metres per second; `nil` if either fix has no speed.
    var speed: Double?
    /// The root of the sum of the squared accuracies of both positions, in metres.
    var accuracy: Double
    /// The distance in metres minus the distance that the receiver may have moved since the digits
    /// of its position last changed. It is known only for the first change after several equal
    /// positions; otherwise `nil`.
    var excessSinceStandstill: Double?
    /// Whether the movement can be compared with the velocities. It cannot after a gap, a search or
    /// a change of the fix type: for 5 s (`Settings.stepTime`) or, if longer, for as long as the
    /// gap or search lasted, up to 30 s.
    var isSettled: Bool
    /// Whether both positions, including the altitude, are identical in all digits.
    var isSame: Bool
    /// Whether both positions were measured: neither is from dead reckoning or entered by the user.
    var isMeasured: Bool

    /// The distance in metres.
    var distance: Double { way.distance }
}

/// Calculates the movement from each fix with a position to the next one.
struct MovementTracker: Sendable {
    private struct Point {
        var coordinate: Coordinate
        var altitude: Double?
        var velocity: LocalPlane.Point?
        var speed: Double?
        var accuracy: Double
        var mode: FixMode
        var quality: FixQuality
        var now: Double
    }

    /// The assumed accuracy of fixes without one, in metres.
    private static let assumedAccuracy = 10.0

    /// The longest time after a gap in which movements do not count as settled, in seconds. After a
    /// cold start or a tunnel, the first positions can be wrong by hundreds of metres.
    private static let longestSettling = 30.0

    /// The time after the first fix in which movements do not count as settled, in seconds, if the
    /// receiver was tracking satellites before it was opened. It is between one and two epochs at
    /// 1 Hz.
    private static let openingTime = 1.5

    /// The time by which a reported velocity may be late, in seconds, because receivers filter
    /// velocities.
    private static let velocityDelay = 0.5

    /// The greatest acceleration along the direction of motion, in m/s²: that of an aircraft on a
    /// catapult. In a turn, the velocity may change faster.
    private static let greatestSpeedChange = 30.0

    /// The smallest correction of the receiver's time, in seconds. Smaller differences between the
    /// receiver's time and the times of arrival are caused by varying delays.
    private static let shortestCorrection = 0.7

    private var last: Point?
    /// The time since `last` in seconds, according to the times of the fixes; `nil` if a fix since
    /// then had no time.
    private var elapsed: Double? = 0
    /// `EpochTime.now` at the first fix, with or without a position; `nil` before it.
    private var start: Double?
    /// The `EpochTime.now` from which movements count as settled (`Movement.isSettled`).
    private var settledAt = 0.0
    private var digits = PositionDigits()
    /// Whether the receiver has reported a speed above 0.
    private var hasSpeed = false
    /// The mean velocity between the last two positions in metres per second, to the east and north
    /// at the last position; `nil` before the second position.
    private var motion: LocalPlane.Point?

    /// Returns the movement to a fix; `nil` if the fix or all earlier fixes have no position, or no
    /// time has passed. `longest` is the longest time between two fixes that is not a gap, in
    /// seconds.
    mutating func add(
        _ fix: Fix, _ moment: EpochTime, step: Double?, longest: Double
    ) -> Movement? {
        elapsed = elapsed.flatMap { sum in step.map { sum + $0 } }
        let start = start ?? moment.now
        self.start = start
        guard let point = Self.point(of: fix, moment.now) else { return nil }
        if let speed = point.speed, speed > 0 { hasSpeed = true }
        defer { (last, elapsed) = (point, 0) }
        guard let last else {
            digits.begin(point.coordinate, speed: point.speed)
            // A recording may begin with the first fix after a search. But a receiver on this
            // machine whose first epoch has a position has had one for some time.
            let isTracking = moment.instant != nil && start == moment.now
            markUnsettled(from: start, to: moment.now, isTracking ? Self.openingTime : longest)
            return nil
        }
        // If the receiver's time jumped, the times of arrival are used.
        let received = point.now - last.now
        let own = elapsed.flatMap { $0 > 0 && $0 <= longest ? $0 : nil }
        let seconds = own.map { duration(from: last, to: point, own: $0, received) } ?? received
        guard seconds > 0 else { return nil }
        if own == nil || last.mode != point.mode || last.quality != point.quality {
            markUnsettled(from: own == nil ? last.now : point.now, to: point.now, longest)
        }
        var movement = movement(
            from: last, to: point, seconds, longest: longest,
            isSettled: own != nil && point.now >= settledAt)
        movement.isTimed = elapsed != nil || moment.instant != nil
        return movement
    }

    /// Returns the duration of a movement in seconds, from its durations according to the receiver's
    /// time (`own`) and to the times of arrival (`received`).
    ///
    /// If `received` is longer, there are two possible causes. The data may have been delayed; then
    /// `own` is right. Or the receiver has learned the number of leap seconds: its time went back,
    /// and the fixes with times that it had already reported were dropped. Then `received` is
    /// right. The velocity distinguishes the two causes.
    private func duration(
        from last: Point, to point: Point, own: Double, _ received: Double
    ) -> Double {
        guard received - own > Self.shortestCorrection, let former = last.speed,
            let current = point.speed
        else { return own }
        let way = point.coordinate.offset(from: last.coordinate)
        let velocity = hasSpeed ? Self.meanVelocity(from: last, to: point) : motion
        func difference(_ seconds: Double) -> Double {
            velocity.map { Self.difference(way, $0, seconds) }
                ?? abs(way.distance - (former + current) / 2 * seconds)
        }
        return difference(received) < difference(own) ? received : own
    }

    /// Returns the mean of the velocities at two positions; `nil` if either is unknown.
    private static func meanVelocity(from last: Point, to point: Point) -> LocalPlane.Point? {
        let convergence = meridianConvergence(from: last.coordinate, to: point.coordinate)
        guard let a = last.velocity, let b = point.velocity?.rotated(by: convergence) else {
            return nil
        }
        return (a + b) / 2
    }

    /// Returns the distance in metres between a displacement and the displacement that results from
    /// moving with `velocity` for `seconds`.
    private static func difference(
        _ way: LocalPlane.Point, _ velocity: LocalPlane.Point, _ seconds: Double
    ) -> Double {
        way.distance(to: velocity * seconds)
    }

    private mutating func movement(
        from last: Point, to point: Point, _ seconds: Double, longest: Double, isSettled: Bool
    ) -> Movement {
        let way = point.coordinate.offset(from: last.coordinate)
        let convergence = Self.meridianConvergence(from: last.coordinate, to: point.coordinate)
        let standstill = digits.add(
            point.coordinate, isSame: point.coordinate == last.coordinate, speed: point.speed,
            after: seconds)
        let (a, b) = (
            max(last.accuracy, digits.resolution / 2), max(point.accuracy, digits.resolution / 2)
        )
        var movement = Movement(
            elapsed: seconds, isTimed: true, way: way,
            accuracy: (a * a + b * b).squareRoot(), isSettled: isSettled,
            isSame: point.coordinate == last.coordinate && point.altitude == last.altitude,
            isMeasured: Self.isMeasured(last.quality) && Self.isMeasured(point.quality))
        if let a = last.speed, let b = point.speed {
            movement.speed = (a + b) / 2
            movement.excess = max(0, movement.distance - (a + b) / 2 * seconds)
            movement.allowance = Self.allowance(abs(b - a), slower: min(a, b), seconds)
        }
        if let a = last.velocity, let b = point.velocity?.rotated(by: convergence) {
            let residual = way - (a + b) / 2 * seconds
            movement.residual = residual
            movement.excess = residual.distance
            movement.allowance = Self.allowance(
                b.distance(to: a), slower: min(last.speed ?? 0, point.speed ?? 0), seconds)
        }
        if let standstill, let excess = movement.excess {
            let further = max(0, way.distance - standstill.reach)
            movement.excessSinceStandstill = further
            // Some receivers send each position several times.
            if standstill.seconds <= longest { movement.excess = min(excess, further) }
        }
        // For receivers that always report a speed of 0, the difference from the previous movement
        // distinguishes a step from constant motion.
        if !hasSpeed, let motion, let excess = movement.excess {
            movement.excess = min(excess, Self.difference(way, motion, seconds))
        }
        motion = (way / seconds).rotated(by: -convergence)
        return movement
    }

    /// Returns the angle in radians by which the direction of north turns from one position to the
    /// next. It only matters near a pole, where the meridians meet.
    private static func meridianConvergence(from origin: Coordinate, to coordinate: Coordinate)
        -> Double
    {
        guard abs(coordinate.latitude) > 89 else { return 0 }
        let angle = (coordinate.longitude - origin.longitude).radians
        return coordinate.latitude > 0 ? angle : -angle
    }

    /// Returns the largest possible difference between a displacement and the displacement
    /// calculated from the mean velocity, in metres, if the velocity changes by `change` metres per
    /// second within `seconds`. `slower` is the lower of the two speeds.
    ///
    /// The velocity may change at the beginning or at the end, and it may be reported late. An
    /// aircraft at 250 m/s that turns by 10° in a second changes its velocity by 44 m/s. A turn can
    /// change the velocity by at most twice the speed. Therefore, a high velocity that a receiver
    /// at rest reports together with a jump does not explain the jump.
    private static func allowance(
        _ change: Double, slower: Double, _ seconds: Double
    ) -> Double {
        min(change, 2 * slower + greatestSpeedChange * seconds)
            * (seconds / 2 + min(seconds / 2, velocityDelay))
    }

    /// Makes movements count as unsettled after a gap from `begin` to `end`: for as long as the gap
    /// lasted, up to 30 s, but for at least `shortest` seconds.
    private mutating func markUnsettled(from begin: Double, to end: Double, _ shortest: Double) {
        settledAt = max(settledAt, end + max(shortest, min(end - begin, Self.longestSettling)))
    }

    private static func isMeasured(_ quality: FixQuality) -> Bool {
        quality != .estimated && quality != .manual
    }

    private static func point(of fix: Fix, _ now: Double) -> Point? {
        guard fix.mode > .noFix, let coordinate = fix.coordinate else { return nil }
        let speed = fix.speedOverGround
        let velocity = speed.flatMap { speed in
            fix.course.map { LocalPlane.Point(speed: speed, course: $0) }
        }
        let stated = fix.accuracy.horizontal.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        return Point(
            coordinate: coordinate, altitude: fix.altitude ?? fix.ellipsoidalAltitude,
            velocity: velocity, speed: speed, accuracy: stated ?? assumedAccuracy,
            mode: fix.mode, quality: fix.quality, now: now)
    }
}

extension LocalPlane.Point {
    /// Returns the vector turned to the left by an angle in radians.
    fileprivate func rotated(by angle: Double) -> LocalPlane.Point {
        guard angle != 0 else { return self }
        let (sine, cosine) = PortableMath.sinCos(angle)
        return LocalPlane.Point(
            east: east * cosine - north * sine, north: east * sine + north * cosine)
    }
}
