// SPDX-License-Identifier: MIT

/// Detects whether a receiver rests or moves, fix by fix. Memory does not grow.
///
/// The error of a position changes slowly, so positions alone wander at rest; the speed, which a receiver
/// measures by Doppler, does not. The criteria, with `a` the 68 % radius of a fix:
///
/// - It comes to **rest** when for 5 s the speed is below 0.3 m/s on average and below 0.5 m/s in each fix, the
///   position stays within `a` (0.5 `a` from 0.15 m/s on), and quality and dimensions do not change. Without a
///   speed: when the position stays within 0.5 `a` for 10 s, or for as many seconds as `a` has metres. With
///   speeds up to 0.75 m/s on average, which may be noise: within 2 `a` for 60 s.
/// - It **moves** when the speed is above 0.5 m/s, and three times the mean speed at rest (up to 1.5 m/s), in two
///   fixes running and for half a second, or the position is
///   farther from where it rests than 2 `a` (from 0.15 m/s on average), 3 `a` (without a speed) or, twice within
///   a minute, 5 `a` and 10 m (whatever the speed, which is not trusted then until it is above 0.5 m/s).
/// - In between the state stays as it is. Before any of these is met, and after a gap, it is **unknown**.
///
/// Motion slower than about 0.3 m/s is not distinguished from the error of a position.
package struct MotionDetector: Sendable {
    /// Whether a receiver moves.
    package enum State: Sendable { case unknown, atRest, moving }

    /// Metres that are assumed where a fix has no accuracy, and where it has no time, as on a track that was drawn.
    private static let (assumedAccuracy, drawnAccuracy) = (5.0, 1.0)
    /// Metres a second above which a receiver certainly moves.
    private static let fast = 0.5
    /// Metres a second below which it may rest, on average.
    private static let slow = 0.3
    /// Metres a second on average that may be noise, and the limit of what that changes.
    private static let (noisy, noisiest) = (0.75, 1.5)
    /// Metres a second on average below which a position wanders at rest.
    private static let still = 0.15
    /// Seconds over which the speed is averaged, and those after which one that was received is forgotten.
    private static let (averaging, forgetting) = (3.0, 3.0)
    /// Seconds within which two jumps of the position are motion.
    private static let jumping = 60.0
    /// Seconds over which the place of rest is averaged.
    private static let settling = 100.0

    /// Whether the receiver moves.
    package private(set) var state = State.unknown
    /// Where it rests: the mean position. In an unknown state the first position; `nil` when it moves.
    package private(set) var anchor: Coordinate?
    /// Where it rested before it began to move.
    package private(set) var origin: Coordinate?
    /// Seconds since the position was last near the anchor, when it began to move.
    package private(set) var departure: Double?
    /// Whether it began to move by its speed, not by its position alone.
    package private(set) var departedBySpeed = false
    /// Whether it may be coming to rest.
    package private(set) var isSlowing = false

    /// Seconds on the clock of the fixes, where they have times.
    private var now = 0.0
    private var lastNear = 0.0
    private var speed: (mean: Double, at: Double)?
    /// The mean speed at rest.
    private var speedAtRest = 0.0
    private var fastSince: Double?
    private var ignoresSpeed = false
    /// Where it rested before the position jumped although the speed is 0, as it does when a receiver has just
    /// found its first satellites.
    private var jump: (from: Coordinate, at: Double)?
    private var kind: (FixMode, FixQuality)?
    /// Since when the position has been near a place, and the mean since then.
    private var window: (start: Coordinate, mean: Coordinate, since: Double, count: Double)?

    /// Creates a detector that knows nothing.
    package init() {}

    /// Adds the position of a fix; `step` is the seconds since the one before, `nil` where they are not known.
    package mutating func add(_ fix: Fix, at coordinate: Coordinate, after step: Double?) {
        now += step ?? 0
        let accuracy = Self.accuracy(of: fix)
        let isFast = addSpeed(fix.speedOverGround, after: step)
        if kind.map({ $0 != (fix.mode, fix.quality) }) ?? true { window = nil }
        kind = (fix.mode, fix.quality)
        guard state != .moving else { return findRest(coordinate, accuracy, step) }
        guard let anchor else {
            (self.anchor, lastNear) = (coordinate, now)
            return findRest(coordinate, accuracy, step)
        }
        let distance = coordinate.offset(from: anchor).distance
        let isAway = distance > reach(accuracy)
        if isAway, !isFast, !ignoresSpeed, let speed, speed.mean < Self.still {
            guard let jump, step != nil, now - jump.at < Self.jumping else {
                jump = (anchor, now)
                (self.anchor, window) = (coordinate, nil)
                return
            }
            ignoresSpeed = true
            origin = jump.from
        } else {
            origin = anchor
        }
        if isFast || isAway {
            departedBySpeed = isFast
            departure = now - lastNear
            (state, self.anchor, window, isSlowing, jump) = (.moving, nil, nil, false, nil)
            return
        }
        if distance <= accuracy { lastNear = now }
        if state == .unknown {
            findRest(coordinate, accuracy, step)
        } else if let step {
            let share = step / (step + Self.settling)
            if let speed { speedAtRest += (speed.mean - speedAtRest) * share }
            self.anchor = anchor.moved(by: share, towards: coordinate)
        }
    }

    /// The 68 % radius of a fix, as far as it is known.
    package static func accuracy(of fix: Fix) -> Double {
        fix.accuracy.horizontal.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            ?? (fix.time == nil && fix.timeOfDay == nil ? drawnAccuracy : assumedAccuracy)
    }

    /// Returns whether the speed alone shows that it moves.
    private mutating func addSpeed(_ new: Double?, after step: Double?) -> Bool {
        guard let new else {
            if let speed, now - speed.at > Self.forgetting { self.speed = nil }
            return false
        }
        if let speed {
            let elapsed = step == nil ? 1 : now - speed.at
            let share = elapsed / (elapsed + Self.averaging)
            // After a stop the speeds before it do not count for long.
            let before = min(speed.mean, new + Self.slow)
            self.speed = (before + (new - before) * share, now)
        } else {
            speed = (new, now)
        }
        guard new > max(Self.fast, min(Self.noisiest, 3 * speedAtRest)) else {
            fastSince = nil
            return false
        }
        ignoresSpeed = false
        guard let since = fastSince else {
            fastSince = now
            return false
        }
        return step == nil || now - since >= 0.5
    }

    /// How far a position may be from the place of rest.
    private func reach(_ accuracy: Double) -> Double {
        guard let speed, !ignoresSpeed else { return max(3, 3 * accuracy) }
        return speed.mean < Self.still ? max(10, 5 * accuracy) : max(3, 2 * accuracy)
    }

    private mutating func findRest(
        _ coordinate: Coordinate, _ accuracy: Double, _ step: Double?
    ) {
        guard step != nil || window == nil else { return }
        let limit: Double
        let duration: Double
        if let speed, !ignoresSpeed {
            switch speed.mean {
            case ..<Self.still: (limit, duration) = (max(1, accuracy), 5)
            case ..<Self.slow where fastSince == nil:
                (limit, duration) = (max(0.5, 0.5 * accuracy), 5)
            case ..<Self.noisy: (limit, duration) = (max(3, 2 * accuracy), 60)
            default:
                (window, isSlowing) = (nil, false)
                return
            }
        } else {
            limit = max(0.5, 0.5 * accuracy)
            duration = max(10, accuracy)
        }
        guard var present = window, coordinate.offset(from: present.start).distance < limit
        else {
            window = (coordinate, coordinate, now, 1)
            isSlowing = false
            return
        }
        present.count += 1
        present.mean = present.mean.moved(by: 1 / present.count, towards: coordinate)
        window = present
        isSlowing = true
        guard now - present.since >= duration else { return }
        if duration > 10, let speed, !ignoresSpeed {
            speedAtRest = max(speedAtRest, speed.mean)
        }
        (state, anchor, lastNear) = (.atRest, present.mean, now)
        (window, isSlowing) = (nil, false)
    }
}

extension Fix {
    /// The speed, where it is one.
    package var speedOverGround: Double? {
        speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}
