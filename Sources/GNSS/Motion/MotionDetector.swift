// SPDX-License-Identifier: MIT

/// Detects whether a receiver is at rest or moves, fix by fix, in constant memory.
///
/// The error of a position changes slowly, so the position of a receiver at rest drifts. Its speed, measured by
/// Doppler, does not. `a` is the 68 % radius of a fix.
///
/// A receiver is **at rest** when one of these is met, without a change of quality or dimensions:
/// - For 5 s the speed is below 0.3 m/s on average and below 0.5 m/s in each fix, and the position stays
///   within `a` (within 0.5 `a` from 0.15 m/s on).
/// - The fixes have no speed, and the position stays within 0.5 `a` for 10 s, or for `a` seconds if that is longer.
/// - The speed is up to 0.75 m/s on average, which may be noise, and the position stays within 2 `a` for 60 s.
///
/// It **moves** when one of these is met:
/// - The speed is above 0.5 m/s and above three times the mean speed at rest (at most 1.5 m/s), in two
///   consecutive fixes and for half a second.
/// - The position is farther from the place of rest than 2 `a` (speed from 0.15 m/s on average) or 3 `a`
///   (no speed).
/// - The position is farther away than 5 `a` and 10 m twice within a minute, at any speed. The speed is then
///   ignored until it is above 0.5 m/s.
///
/// Otherwise the state does not change. It is **unknown** at first and after a gap. Motion slower than about
/// 0.3 m/s cannot be distinguished from the error of a position.
package struct MotionDetector: Sendable {
    /// The state of motion.
    package enum State: Sendable { case unknown, atRest, moving }

    /// The accuracy assumed for a fix without one, in metres, with a time and without (a drawn track).
    private static let (assumedAccuracy, drawnAccuracy) = (5.0, 1.0)
    /// Metres per second above which a receiver certainly moves.
    private static let fast = 0.5
    /// The mean speed below which a receiver may be at rest, in metres per second.
    private static let slow = 0.3
    /// The mean speed that may still be noise, and the highest threshold of motion that such noise
    /// leads to, in metres per second.
    private static let (noisy, noisiest) = (0.75, 1.5)
    /// The mean speed below which a change of position is its error, in metres per second.
    private static let still = 0.15
    /// Seconds over which the speed is averaged, and seconds after which a received speed expires.
    private static let (averaging, forgetting) = (3.0, 3.0)
    /// Seconds within which two jumps of the position are motion.
    private static let jumping = 60.0
    /// Seconds over which the place of rest is averaged.
    private static let settling = 100.0

    /// The state after the last fix.
    package private(set) var state = State.unknown
    /// The place of rest: the mean position, or the first one in an unknown state; `nil` in motion.
    package private(set) var anchor: Coordinate?
    /// The place of rest before the motion began.
    package private(set) var origin: Coordinate?
    /// Seconds from the last position near the anchor to the start of the motion.
    package private(set) var departure: Double?
    /// Whether the motion was detected from the speed, not from the position alone.
    package private(set) var departedBySpeed = false
    /// Whether the receiver may be coming to rest.
    package private(set) var isSlowing = false

    /// Seconds since the first fix, by the times of the fixes.
    private var now = 0.0
    private var lastNear = 0.0
    private var speed: (mean: Double, at: Double)?
    /// The mean speed at rest.
    private var speedAtRest = 0.0
    private var fastSince: Double?
    private var ignoresSpeed = false
    /// The place of rest before the position jumped at a speed of 0, as it does when a receiver has
    /// just found its first satellites.
    private var jump: (from: Coordinate, at: Double)?
    private var kind: (FixMode, FixQuality)?
    /// The positions that have stayed near one place: the first, their mean, the start and their count.
    private var window: (start: Coordinate, mean: Coordinate, since: Double, count: Double)?

    /// Creates a detector in the unknown state.
    package init() {}

    /// Adds the position of a fix, `step` seconds after the previous one (`nil` if unknown).
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

    /// The 68 % radius of a fix in metres, or the assumed one if the fix has none.
    package static func accuracy(of fix: Fix) -> Double {
        fix.accuracy.horizontal.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            ?? (fix.time == nil && fix.timeOfDay == nil ? drawnAccuracy : assumedAccuracy)
    }

    /// Updates the mean speed; returns whether the speed alone shows motion.
    private mutating func addSpeed(_ new: Double?, after step: Double?) -> Bool {
        guard let new else {
            if let speed, now - speed.at > Self.forgetting { self.speed = nil }
            return false
        }
        if let speed {
            let elapsed = step == nil ? 1 : now - speed.at
            let share = elapsed / (elapsed + Self.averaging)
            // After a stop, the speeds before it must lose their weight quickly.
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

    /// The distance from the place of rest beyond which the receiver moves, in metres.
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
    /// The speed in metres per second; `nil` if it is missing, negative or not finite.
    package var speedOverGround: Double? {
        speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}
