// SPDX-License-Identifier: MIT

/// Measures the distance and the duration of a receiver's motion, fix by fix, in constant memory.
///
/// Nothing is counted at rest (`MotionDetector`). In motion, with fixes at most 2.5 s apart, the distance
/// is integrated from speed and course, which have less error than positions, over 4 m or one fix, whichever is
/// longer. Otherwise it is the length of a line that passes every position within its 68 % radius (at least
/// 1 m). From the place of rest, and across a gap, it is the straight line.
package struct Odometer: Sendable {
    /// The longest time between fixes over which speeds are integrated, in seconds.
    private static let longestStep = 2.5
    /// Metres over which speeds are integrated with their courses.
    private static let stride = 4.0
    /// The speed from which motion may have begun, in metres per second.
    private static let start = 0.25
    /// Seconds within which speeds that are too low twice are corrected by the positions.
    private static let repetition = 60.0
    /// Metres after which a new comparison of positions with speeds begins.
    private static let comparison = 1000.0

    /// A displacement integrated from speeds and courses, in metres.
    private struct Stride {
        var east = 0.0
        var north = 0.0
        /// The length along the path.
        var length = 0.0

        var distance: Double { (east * east + north * north).squareRoot() }
    }

    /// The state of motion.
    package private(set) var motion = MotionDetector()
    /// Seconds between the last two fixes; `nil` if unknown.
    package private(set) var step: Double?
    /// Whether the last fix began a segment: it is earlier than the previous one, or follows a gap.
    package private(set) var beganSegment = false
    /// The highest received speed, in metres per second.
    package private(set) var receivedMaximum: Double?
    /// The highest speed computed from the positions of fixes without a speed.
    private var positionsMaximum: Double?

    private let gap: Double
    private var clock = FixClock()
    private var last: (coordinate: Coordinate, speed: Double?, course: Double?)?
    private var counted = 0.0
    private var countedTime = 0.0
    /// The distance and time that are counted unless the receiver proves to be at rest.
    private var pending = (distance: 0.0, time: 0.0)
    private var stride = Stride()
    private var path = PathLength()
    /// The start of the comparison of positions with speeds, and the distance by speed since.
    private var check: (coordinate: Coordinate, distance: Double)?
    /// The distance by which the speeds were too low at the last comparison, and its time.
    private var deficit: (distance: Double, at: Double)?
    /// Seconds since the segment began.
    private var now = 0.0
    /// The start of a speed measurement from positions, and the seconds since.
    private var sprint: (coordinate: Coordinate, seconds: Double)?

    /// Creates an odometer that begins a new segment after `gap` seconds without a fix.
    package init(gap: Double = .infinity) {
        self.gap = gap
    }

    /// Metres over ground.
    package var distance: Double {
        counted + path.length + (motion.isSlowing || !isMoving ? 0 : stride.distance)
    }

    /// Seconds in motion.
    package var movingTime: Double { countedTime }

    /// The mean speed in motion, in metres per second, at most `maximumSpeed`; `nil` without motion.
    package var averageSpeed: Double? {
        guard movingTime > 0 else { return nil }
        let average = distance / movingTime
        return positionsMaximum == nil ? min(average, receivedMaximum ?? average) : average
    }

    /// The highest speed in metres per second: as received or, for fixes without a speed, computed
    /// from positions and then at least `averageSpeed`.
    package var maximumSpeed: Double? {
        guard positionsMaximum != nil || receivedMaximum == nil else { return receivedMaximum }
        return [receivedMaximum, positionsMaximum, averageSpeed].compactMap(\.self).max()
    }

    /// Whether the receiver moves.
    package var isMoving: Bool { motion.state == .moving }

    /// Ends the segment. The distance to the next fix is not counted.
    package mutating func endSegment() {
        if isMoving, !motion.isSlowing {
            flushStride()
            commit()
        }
        path.end(at: nil)
        drop()
        (last, check, deficit, sprint, step, now) = (nil, nil, nil, nil, nil, 0)
        motion = MotionDetector()
        clock = FixClock()
    }

    /// Adds a fix; one without a position ends the segment.
    package mutating func add(_ fix: Fix) {
        guard let coordinate = fix.coordinate else { return endSegment() }
        let step = clock.step(to: fix)
        if let step, step < 0 || step > gap {
            endSegment()
            _ = clock.step(to: fix)
            beganSegment = true
        } else {
            self.step = step
            beganSegment = false
        }
        let (wasMoving, wasSlowing) = (isMoving, motion.isSlowing)
        now += self.step ?? 0
        let speed = fix.speedOverGround
        if let speed { receivedMaximum = max(receivedMaximum ?? 0, speed) }
        motion.add(fix, at: coordinate, after: self.step)
        switch (wasMoving, isMoving) {
        case (false, false):
            if let speed, speed >= Self.start { addSpeed(fix, speed) } else { drop() }
        case (false, true):
            depart(fix, to: coordinate)
        case (true, true):
            if motion.isSlowing, !wasSlowing {
                flushStride()
                commit()
            }
            move(fix, to: coordinate)
            if !motion.isSlowing { commit() }
        case (true, false):
            drop()
            path.end(at: motion.anchor, tolerance: MotionDetector.accuracy(of: fix))
            (check, sprint) = (nil, nil)
        }
        last = (coordinate, speed, fix.course)
    }

    // MARK: Moving

    private mutating func depart(_ fix: Fix, to coordinate: Coordinate) {
        check = (motion.origin ?? coordinate, pending.distance + stride.distance)
        if motion.departedBySpeed {
            if let speed = fix.speedOverGround, addSpeed(fix, speed) { compare(fix, coordinate) }
        } else {
            check = (coordinate, 0)
            drop()
            if let origin = motion.origin { path.begin(at: origin) }
            path.add(coordinate, tolerance: Self.tolerance(of: fix))
            pending.time = motion.departure ?? 0
        }
        commit()
    }

    private mutating func move(_ fix: Fix, to coordinate: Coordinate) {
        let before = last?.coordinate ?? coordinate
        if let speed = fix.speedOverGround, addSpeed(fix, speed) {
            path.end(at: before)
            compare(fix, coordinate)
            return
        }
        if !path.isOpen {
            flushStride()
            path.begin(at: before)
        }
        path.add(coordinate, tolerance: Self.tolerance(of: fix))
        pending.time += step ?? 0
        check = (coordinate, 0)
        if fix.speedOverGround == nil { addSprint(fix, coordinate) }
    }

    /// Adds the distance since the last fix by its speed; returns `false` if that is unknown.
    @discardableResult
    private mutating func addSpeed(_ fix: Fix, _ speed: Double) -> Bool {
        guard let step, step <= Self.longestStep, let last, let previous = last.speed else {
            return false
        }
        let length = (previous + speed) / 2 * step
        pending.time += step
        check?.distance += length
        if length < Self.stride, let a = last.course, let b = fix.course {
            let (from, to) = (PortableMath.sinCos(a.radians), PortableMath.sinCos(b.radians))
            // A change of course of more than 60 degrees.
            if from.sin * to.sin + from.cos * to.cos < 0.5 { flushStride() }
            stride.east += (from.sin * previous + to.sin * speed) / 2 * step
            stride.north += (from.cos * previous + to.cos * speed) / 2 * step
            stride.length += length
            if stride.length >= Self.stride { flushStride() }
        } else {
            flushStride()
            pending.distance += length
        }
        return true
    }

    /// Replaces the distance by speed with the distance by position where speeds are too low.
    private mutating func compare(_ fix: Fix, _ coordinate: Coordinate) {
        guard let check else { return self.check = (coordinate, 0) }
        let distance = coordinate.offset(from: check.coordinate).distance
        let tolerance = max(10, 5 * MotionDetector.accuracy(of: fix))
        if distance > 1.2 * check.distance + tolerance {
            // A single deviation may be a jump of the position.
            if let deficit, now - deficit.at < Self.repetition {
                pending.distance += deficit.distance + distance - check.distance
                self.deficit = (0, now)
            } else {
                deficit = (distance - check.distance, now)
            }
        } else if check.distance < Self.comparison {
            return
        }
        self.check = (coordinate, 0)
    }

    private mutating func addSprint(_ fix: Fix, _ coordinate: Coordinate) {
        guard let step else { return sprint = nil }
        guard var start = sprint else { return sprint = (coordinate, 0) }
        start.seconds += step
        sprint = start
        guard start.seconds >= 2 else { return }
        let distance = coordinate.offset(from: start.coordinate).distance
        guard distance >= 2 * MotionDetector.accuracy(of: fix) || start.seconds >= 20 else {
            return
        }
        positionsMaximum = max(positionsMaximum ?? 0, distance / start.seconds)
        sprint = (coordinate, 0)
    }

    private static func tolerance(of fix: Fix) -> Double {
        max(1, MotionDetector.accuracy(of: fix))
    }

    // MARK: Counting

    private mutating func flushStride() {
        pending.distance += stride.distance
        stride = Stride()
    }

    private mutating func commit() {
        counted += pending.distance
        countedTime += pending.time
        pending = (0, 0)
    }

    private mutating func drop() {
        stride = Stride()
        pending = (0, 0)
    }
}
