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

/// Determines for each fix, live or recorded, whether the receiver is stationary.
///
/// The criteria are the same as in `MotionDetector`. The result is unknown without a position,
/// during the first five seconds, after ten seconds without a fix, and for a fix that has no speed
/// and an accuracy worse than 20 m.
package struct RestDetector: Sendable {
    /// The longest time between two fixes across which the state remains known, in seconds.
    private static let gap = 10.0
    /// The 68 % radius above which positions alone cannot prove rest, in metres.
    private static let coarse = 20.0

    private var motion = MotionDetector()
    private var clock = FixClock()

    /// Creates a detector that has not received a fix yet.
    package init() {}

    /// Adds a fix. Returns whether the receiver is stationary; `nil` if unknown.
    package mutating func isStationary(after fix: Fix) -> Bool? {
        guard fix.mode > .noFix, let coordinate = fix.coordinate else {
            self = RestDetector()
            return nil
        }
        var step = clock.step(to: fix)
        if let seconds = step, seconds < 0 || seconds > Self.gap {
            motion = MotionDetector()
            step = nil
        }
        motion.add(fix, at: coordinate, after: step)
        if fix.speedOverGround == nil, MotionDetector.accuracy(of: fix) > Self.coarse { return nil }
        switch motion.state {
        case .unknown: return nil
        case .atRest: return true
        case .moving: return false
        }
    }
}

/// Determines the highest speed along positions without speeds.
///
/// Mean speeds are measured in intervals. An interval lasts at least two seconds and is at least
/// twice the accuracy long, or it lasts at least twenty seconds. The speed that counts is the
/// lowest of three: the mean speed in one interval, in the next interval, and in both together. So
/// a position that jumps once, or jumps and returns, has no effect.
struct PositionSpeed: Sendable {
    /// An interval in which the mean speed is measured.
    private struct Interval {
        var start: Coordinate
        /// The duration in seconds.
        var seconds = 0.0
        /// The mean speed in metres per second; 0 until the interval has ended.
        var speed = 0.0

        /// Returns the mean speed from the start of the interval to a position `seconds` later.
        func speed(to end: Coordinate, after seconds: Double) -> Double {
            end.offset(from: start).distance / seconds
        }
    }

    /// The highest speed in metres per second; `nil` if none has been confirmed.
    private(set) var maximum: Double?
    private var current: Interval?
    private var previous: Interval?

    /// Adds a position. `step` is the time since the previous one in seconds; `nil` if unknown.
    mutating func add(_ coordinate: Coordinate, accuracy: Double, after step: Double?) {
        guard let step else { return restart() }
        guard var interval = current else { return current = Interval(start: coordinate) }
        interval.seconds += step
        current = interval
        guard interval.seconds >= 2 else { return }
        let distance = coordinate.offset(from: interval.start).distance
        guard distance >= 2 * accuracy || interval.seconds >= 20 else { return }
        interval.speed = distance / interval.seconds
        if let previous {
            let both = previous.speed(to: coordinate, after: previous.seconds + interval.seconds)
            maximum = max(maximum ?? 0, min(previous.speed, interval.speed, both))
        }
        (previous, current) = (interval, Interval(start: coordinate))
    }

    /// Discards the current intervals. Call it if the next position does not directly follow the
    /// last one.
    mutating func restart() { (current, previous) = (nil, nil) }
}

/// Determines after which times between two fixes a segment ends.
///
/// With the default limit, a track whose fixes are usually farther apart has no gaps until ten times
/// its shortest step. Otherwise each of its fixes would be a segment.
package struct SegmentGap: Hashable, Sendable {
    /// The default limit in seconds.
    package static let usual = 60.0

    private let limit: Double
    /// The shortest step so far in seconds; 0 if it is a tenth of the limit or less, and `nil`
    /// before the first one.
    private var shortest: Double?

    /// Creates a rule for gaps of more than `limit` seconds.
    package init(limit: Double) {
        self.limit = limit
        if limit != Self.usual { shortest = 0 }
    }

    /// Returns whether there is a gap between two fixes, `step` seconds apart.
    package mutating func isGap(_ step: Double) -> Bool {
        guard step >= 0 else { return true }
        guard shortest != 0 else { return step > limit }
        let known = shortest
        shortest = step <= limit / 10 ? 0 : min(known ?? step, step)
        return known.map { step > max(limit, 10 * $0) } ?? false
    }

    /// Forgets the steps so far, because the next fixes are from another source.
    package mutating func restart() { self = SegmentGap(limit: limit) }
}

/// Measures the time between consecutive fixes. It uses the times of the fixes or, while the date
/// is unknown, their times of day.
package struct FixClock: Sendable {
    private var last: (time: UTCTime?, day: TimeOfDay)?
    /// Whether the last fix still had the previous date after midnight.
    private var hadPreviousDate = false

    /// Creates a clock before the first fix.
    package init() {}

    /// Returns the seconds since the previous fix. The result is negative if this fix is earlier,
    /// and `nil` if either fix has no time of day. If a receiver changes the date some seconds after
    /// midnight, the times of day are compared until it has changed it.
    package mutating func step(to fix: Fix) -> Double? {
        guard let day = fix.time?.time ?? fix.timeOfDay else {
            last = nil
            return nil
        }
        let wasPrevious = hadPreviousDate
        hadPreviousDate = false
        defer { last = (fix.time, day) }
        guard let last else { return nil }
        if let now = fix.time, let before = last.time {
            let isStepBack = now.hasPreviousDate(comparedTo: before)
            hadPreviousDate =
                isStepBack
                || wasPrevious && now.date == before.date
                    && now.time.nanoseconds < UTCTime.longestDateDelay
            let isCorrection =
                wasPrevious && now.date == before.date.adding(days: 1)
                && now.time.nanoseconds >= before.time.nanoseconds
            guard isStepBack || isCorrection else {
                return now.nanoseconds(since: before).map { Double($0) / 1e9 }
            }
        }
        // Midnight may have passed between the two times of day.
        return Double(day.nanoseconds(since: last.day)) / 1e9
    }
}
