// SPDX-License-Identifier: MIT

/// Detects whether a receiver is at rest or moving, fix by fix, in constant memory.
///
/// The error of a position changes slowly, so the position of a receiver at rest drifts. Its speed,
/// measured by Doppler, does not drift. Below, `a` is the 68 % radius of a fix. Each distance
/// in `a` has a minimum of 0.5 m to 3 m.
///
/// A receiver comes **to rest** when one of these conditions is met while the quality and the
/// dimensions of the fixes stay the same:
/// - For 5 s the speed is below 0.3 m/s on average and below 0.5 m/s in each fix, and the position
///   stays within `a` (within 0.5 `a` if the mean speed is 0.15 m/s or more).
/// - The fixes have no speed, and the position stays within 0.5 `a` for 10 s, or for `a` seconds if
///   that is longer.
/// - The speed is up to 0.75 m/s on average, which may be noise, and the position stays within 2
///   `a` for 60 s.
///
/// It begins to **move** when one of these conditions is met:
/// - The speed is above 0.5 m/s and above three times the mean speed at rest (but at most 1.5 m/s),
///   in two consecutive fixes and for half a second.
/// - The position is farther from the place of rest than 2 `a` (if the mean speed is 0.15 m/s or
///   more) or 3 `a` (without a speed).
/// - The position is farther away than 5 `a` and 10 m twice within a minute, at any speed. The
///   speed is then ignored until it is above 0.5 m/s.
///
/// A position that requires a speed above 20 m/s may be a jump. It counts only if the next position
/// is also away from the place of rest.
///
/// Otherwise the state does not change. It is **unknown** at first and after a gap. Motion slower
/// than about 0.3 m/s cannot be distinguished from the error of a position.
package struct MotionDetector: Sendable {
    /// The state of motion.
    package enum State: Sendable { case unknown, atRest, moving }

    /// The assumed accuracy of a fix that has a time but no accuracy, in metres.
    private static let assumedAccuracy = 5.0
    /// The assumed accuracy of a fix without a time, as in a drawn track, in metres.
    private static let drawnAccuracy = 1.0
    /// The speed above which a receiver certainly moves, in metres per second.
    private static let motionSpeed = 0.5
    /// The mean speed below which a receiver may be at rest, in metres per second.
    private static let restSpeed = 0.3
    /// The highest mean speed that may be noise, in metres per second.
    private static let maximumNoiseSpeed = 0.75
    /// The upper limit of the speed threshold for motion, which depends on the mean speed at rest,
    /// in metres per second.
    private static let maximumThreshold = 1.5
    /// If the mean speed is below this value in metres per second, a change of the position is
    /// treated as an error of the position.
    private static let stillSpeed = 0.15
    /// The averaging time of the speed, in seconds.
    private static let averaging = 3.0
    /// The time after which a received speed expires, in seconds.
    private static let forgetting = 3.0
    /// The maximum time between two jumps of the position that together count as motion, in
    /// seconds.
    private static let jumping = 60.0
    /// If leaving the place of rest requires a higher mean speed than this one, in metres per
    /// second, the position may have jumped.
    private static let jumpSpeed = 20.0
    /// The averaging time of the place of rest, in seconds.
    private static let settling = 100.0

    /// The state after the last fix.
    package private(set) var state = State.unknown
    /// The mean position since the receiver became stationary, or the first position while the
    /// state is unknown; `nil` in motion.
    package private(set) var anchor: Coordinate?
    /// The value of `anchor` before the motion began.
    package private(set) var origin: Coordinate?
    /// The time from the last position near `origin` until the motion was detected, in seconds;
    /// `nil` before the first motion.
    private(set) var departure: Double?
    /// Whether the motion was detected from the speed; otherwise it was detected from the position.
    private(set) var departedBySpeed = false
    /// Whether the receiver may be about to come to rest: its last positions are near one place.
    private(set) var isSlowing = false

    /// The time since the first fix in seconds, according to the fixes.
    private var now = 0.0
    /// The value of `now` at the last position near the place of rest.
    private var lastNear = 0.0
    /// The mean speed in metres per second, and the value of `now` when a speed was last received.
    private var speed: (mean: Double, at: Double)?
    /// The mean speed at rest, in metres per second. It raises the speed threshold for motion.
    private var speedAtRest = 0.0
    /// The value of `now` since which every speed has been above the threshold for motion; `nil` if
    /// the last speed was not.
    private var fastSince: Double?
    /// Whether speeds are ignored, because the position moved at a speed of about 0.
    private var ignoresSpeed = false
    /// The place of rest before the position jumped at a speed of about 0, and the value of `now`
    /// at the jump. Such a jump is common when a receiver has just found its first satellites.
    private var jump: (from: Coordinate, at: Double)?
    /// Whether the last position was ignored, because it may have jumped.
    private var ignoredPosition = false
    private var kind: (FixMode, FixQuality)?
    /// The most recent positions, if they are near one place: the first one, their mean, the time
    /// of the first one (as in `now`) and their number.
    private var window: (start: Coordinate, mean: Coordinate, since: Double, count: Double)?

    /// Creates a detector in the unknown state.
    package init() {}

    /// Adds a fix, which has the position `coordinate`. `step` is the time since the previous fix
    /// in seconds; `nil` if unknown.
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
        let excess = distance - reach(accuracy)
        let isAway = excess > 0
        ignoredPosition =
            isAway && !isFast && !ignoredPosition && step != nil
            && excess > Self.jumpSpeed * (now - lastNear)
        if ignoredPosition { return }
        if isAway, !isFast, !ignoresSpeed, let speed, speed.mean < Self.stillSpeed {
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
            let weight = step / (step + Self.settling)
            if let speed { speedAtRest += (speed.mean - speedAtRest) * weight }
            self.anchor = anchor.moved(by: weight, towards: coordinate)
        }
    }

    /// Returns the 68 % radius of a fix in metres, or an assumed one if the fix has none.
    package static func accuracy(of fix: Fix) -> Double {
        fix.accuracy.horizontal.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            ?? (fix.time == nil && fix.timeOfDay == nil ? drawnAccuracy : assumedAccuracy)
    }

    /// Updates the mean speed. Returns `true` if the speed alone indicates motion.
    private mutating func addSpeed(_ new: Double?, after step: Double?) -> Bool {
        guard let new else {
            if let speed, now - speed.at > Self.forgetting { self.speed = nil }
            return false
        }
        if let speed {
            let elapsed = step == nil ? 1 : now - speed.at
            let weight = elapsed / (elapsed + Self.averaging)
            // When the receiver stops, the mean must fall quickly, so the old mean is limited
            // first.
            let before = min(speed.mean, new + Self.restSpeed)
            self.speed = (before + (new - before) * weight, now)
        } else {
            speed = (new, now)
        }
        guard new > max(Self.motionSpeed, min(Self.maximumThreshold, 3 * speedAtRest)) else {
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

    /// Returns the distance from the place of rest, in metres, beyond which the receiver counts as
    /// moving.
    private func reach(_ accuracy: Double) -> Double {
        guard let speed, !ignoresSpeed else { return max(3, 3 * accuracy) }
        return speed.mean < Self.stillSpeed ? max(10, 5 * accuracy) : max(3, 2 * accuracy)
    }

    /// Adds a position to `window`, and changes the state to `atRest` if the positions have stayed
    /// near one place for long enough.
    private mutating func findRest(
        _ coordinate: Coordinate, _ accuracy: Double, _ step: Double?
    ) {
        guard step != nil || window == nil else { return }
        let limit: Double
        let duration: Double
        if let speed, !ignoresSpeed {
            switch speed.mean {
            case ..<Self.stillSpeed: (limit, duration) = (max(1, accuracy), 5)
            case ..<Self.restSpeed where fastSince == nil:
                (limit, duration) = (max(0.5, 0.5 * accuracy), 5)
            case ..<Self.maximumNoiseSpeed: (limit, duration) = (max(3, 2 * accuracy), 60)
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
