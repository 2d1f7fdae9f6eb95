// SPDX-License-Identifier: MIT

/// Measures the distance and the duration of a receiver's motion, fix by fix, in constant memory.
///
/// At rest (see `MotionDetector`), nothing is counted. In motion, the distance is calculated from
/// speed and course if fixes are at most 2.5 s apart and have a speed. Speed and course have
/// smaller errors than positions. The displacements are added as vectors until the path is 4 m
/// long, and the length of their sum is added to the distance.
///
/// Otherwise the distance is the length of a line that passes every position within its 68 % radius
/// (at least 1 m). From the place of rest and between fixes that are far apart, the line is
/// straight.
package struct Odometer: Sendable {
    /// The highest acceleration of a received speed that can be true, in metres per second squared.
    private static let maximumAcceleration = 30.0
    /// The longest time between two fixes for which the distance is calculated from their speeds,
    /// in seconds.
    private static let maximumStep = 2.5
    /// The length of the path over which displacements are added as vectors, in metres.
    private static let stride = 4.0
    /// The minimum speed of a receiver at rest that may be the beginning of a motion, in metres per
    /// second.
    private static let start = 0.25
    /// The maximum time in seconds between two comparisons of positions with speeds in which the
    /// speeds were too low. After the second such comparison, the missing distance is added.
    private static let repetition = 60.0
    /// The maximum duration of a jump of the position, in seconds. A position that returns within
    /// this time had only jumped.
    private static let jumpDuration = 10.0
    /// The distance in metres after which the next comparison of positions with speeds begins.
    private static let comparison = 1000.0

    /// A sum of displacements calculated from speed and course.
    private struct Stride {
        var way = LocalPlane.Point(east: 0, north: 0)
        /// The length along the path, in metres.
        var length = 0.0

        var distance: Double { way.distance }
    }

    /// A comparison of the distance between positions with the distance calculated from speeds.
    private struct Comparison {
        /// The position at which the comparison began.
        var start: Coordinate
        /// The distance since the comparison began, calculated from speeds, in metres.
        var distance = 0.0

        /// Returns the distance from `start` to a position minus the distance calculated from
        /// speeds, in metres; `nil` unless it is above a fifth of the latter plus the tolerance.
        func deficit(at coordinate: Coordinate, tolerance: Double) -> Double? {
            let length = coordinate.offset(from: start).distance
            return length > 1.2 * distance + tolerance ? length - distance : nil
        }
    }

    /// The state of motion.
    private var motion = MotionDetector()
    /// The time between the last two fixes in seconds; `nil` if unknown.
    package private(set) var step: Double?
    /// Whether the last fix began a segment, because it is earlier than the previous one or follows
    /// a gap.
    package private(set) var beganSegment = false
    /// The highest received speed, in metres per second. A speed that a vehicle could not have
    /// reached since the last fix does not count.
    private var receivedMaximum: Double?
    /// The last received speed that was accepted for `receivedMaximum`, and the value of `now` at
    /// that time.
    private var lastCounted: (speed: Double, at: Double)?
    /// The highest speed computed from positions, for fixes without a speed.
    private var positionSpeed = PositionSpeed()

    /// The number of stops: how often the receiver came to rest and moved again. A stop that
    /// contains a gap between segments is not counted.
    private(set) var stops = 0
    /// The total time of all segments, in seconds.
    private var totalTime = 0.0
    /// Whether the receiver is at rest after a motion in the same segment.
    private var hasStopped = false

    /// The times between two fixes that end a segment.
    private var gap: SegmentGap
    private var clock = FixClock()
    private var last: (coordinate: Coordinate, speed: Double?, course: Double?)?
    /// The distance in metres that certainly belongs to a motion.
    private var counted = 0.0
    /// The time in motion, in seconds.
    package private(set) var movingTime = 0.0
    /// The distance and time that are added to `counted` and `movingTime` later, unless the receiver
    /// turns out to be at rest.
    private var pending = (distance: 0.0, time: 0.0)
    private var stride = Stride()
    private var path = PathLength()
    /// The current comparison of positions with speeds.
    private var check: Comparison?
    /// If the speeds were too low in the last comparison: the missing distance in metres, the value
    /// of `now` at that time, and the comparison.
    private var deficit: (distance: Double, at: Double, check: Comparison)?
    /// The time since the segment began, in seconds.
    private var now = 0.0

    /// Creates an odometer that begins a new segment after `gap` seconds without a fix.
    package init(gap: Double = .infinity) {
        self.gap = SegmentGap(limit: gap)
    }

    /// Ends the segment, because the next fix is from another recording.
    mutating func beginRecording() {
        endSegment()
        gap.restart()
    }

    /// The distance over ground in metres.
    package var distance: Double {
        counted + path.length + (motion.isSlowing || !isMoving ? 0 : stride.distance)
    }

    /// The time in seconds at rest, or at a speed too low to be distinguished from rest. Gaps
    /// between segments are not counted.
    package var restTime: Double { max(0, totalTime - movingTime) }

    /// The mean speed in motion, in metres per second. It is at most `maximumSpeed`; `nil` if the
    /// receiver never moved.
    package var averageSpeed: Double? {
        guard movingTime > 0 else { return nil }
        let average = distance / movingTime
        return positionSpeed.maximum == nil ? min(average, receivedMaximum ?? average) : average
    }

    /// The highest speed in metres per second; `nil` if unknown. It is the highest received speed.
    /// For fixes without a speed, speeds computed from positions are included, and the result is at
    /// least `averageSpeed`.
    package var maximumSpeed: Double? {
        let fromPositions = positionSpeed.maximum
        guard fromPositions != nil || receivedMaximum == nil else { return receivedMaximum }
        return [receivedMaximum, fromPositions, averageSpeed].compactMap(\.self).max()
    }

    /// Whether the receiver is moving.
    var isMoving: Bool { motion.state == .moving }

    /// Ends the segment. The distance to the next fix is not counted.
    package mutating func endSegment() {
        if isMoving, !motion.isSlowing {
            flushStride()
            commit()
        }
        path.end(at: nil)
        drop()
        positionSpeed.restart()
        (last, lastCounted, check, deficit, step, now) = (nil, nil, nil, nil, nil, 0)
        hasStopped = false
        motion = MotionDetector()
        clock = FixClock()
    }

    /// Adds a fix. A fix without a position ends the segment.
    package mutating func add(_ fix: Fix) {
        guard let coordinate = fix.coordinate else { return endSegment() }
        let step = clock.step(to: fix)
        if let step, gap.isGap(step) {
            endSegment()
            _ = clock.step(to: fix)
            beganSegment = true
        } else {
            self.step = step
            beganSegment = false
        }
        let (wasMoving, wasSlowing) = (isMoving, motion.isSlowing)
        now += self.step ?? 0
        totalTime += self.step ?? 0
        let speed = fix.speedOverGround
        if let speed { updateMaximum(speed) }
        motion.add(fix, at: coordinate, after: self.step)
        switch (wasMoving, isMoving) {
        case (false, false):
            if let speed, speed >= Self.start { addSpeed(fix, speed) } else { drop() }
        case (false, true):
            if hasStopped { stops += 1 }
            hasStopped = false
            depart(fix, to: coordinate)
        case (true, true):
            if motion.isSlowing, !wasSlowing {
                flushStride()
                commit()
            }
            move(fix, to: coordinate)
            if !motion.isSlowing { commit() }
        case (true, false):
            hasStopped = true
            drop()
            path.end(at: motion.anchor, tolerance: MotionDetector.accuracy(of: fix))
            positionSpeed.restart()
            check = nil
        }
        last = (coordinate, speed, fix.course)
    }

    /// Updates `receivedMaximum`, unless a vehicle could not have reached the speed since the last
    /// accepted one.
    private mutating func updateMaximum(_ speed: Double) {
        if let lastCounted, step != nil {
            let rise = Self.maximumAcceleration * max(1, now - lastCounted.at)
            guard speed <= lastCounted.speed + rise else { return }
        }
        lastCounted = (speed, now)
        receivedMaximum = max(receivedMaximum ?? 0, speed)
    }

    // MARK: Moving

    /// Begins to count a motion, from the place of rest.
    private mutating func depart(_ fix: Fix, to coordinate: Coordinate) {
        check = Comparison(
            start: motion.origin ?? coordinate, distance: pending.distance + stride.distance)
        if motion.departedBySpeed, let speed = fix.speedOverGround, addSpeed(fix, speed) {
            compare(fix, coordinate)
        } else {
            check = Comparison(start: coordinate)
            drop()
            if let origin = motion.origin { path.begin(at: origin) }
            path.add(coordinate, tolerance: Self.tolerance(of: fix))
            pending.time = motion.departure ?? 0
        }
        commit()
    }

    /// Adds the distance and time since the last fix of a motion.
    private mutating func move(_ fix: Fix, to coordinate: Coordinate) {
        let before = last?.coordinate ?? coordinate
        if let speed = fix.speedOverGround, addSpeed(fix, speed) {
            positionSpeed.restart()
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
        check = Comparison(start: coordinate)
        if fix.speedOverGround == nil {
            positionSpeed.add(coordinate, accuracy: MotionDetector.accuracy(of: fix), after: step)
        } else {
            positionSpeed.restart()
        }
    }

    /// Adds the distance since the last fix, calculated from the speeds of both fixes. Returns
    /// `false` if the last fix has no speed or is too old.
    @discardableResult
    private mutating func addSpeed(_ fix: Fix, _ speed: Double) -> Bool {
        guard let step, step <= Self.maximumStep, let last, let previous = last.speed else {
            return false
        }
        let length = (previous + speed) / 2 * step
        pending.time += step
        check?.distance += length
        deficit?.check.distance += length
        if length < Self.stride, let a = last.course, let b = fix.course {
            let (from, to) = (PortableMath.sinCos(a.radians), PortableMath.sinCos(b.radians))
            // The course changed by more than 60 degrees.
            if from.sin * to.sin + from.cos * to.cos < 0.5 { flushStride() }
            stride.way.east += (from.sin * previous + to.sin * speed) / 2 * step
            stride.way.north += (from.cos * previous + to.cos * speed) / 2 * step
            stride.length += length
            if stride.length >= Self.stride { flushStride() }
        } else {
            flushStride()
            pending.distance += length
        }
        return true
    }

    /// Compares positions with speeds. If the speeds were too low in two comparisons, the missing
    /// distance is added. If a position soon agrees with the speeds again, the deviation was a jump
    /// and is ignored.
    private mutating func compare(_ fix: Fix, _ coordinate: Coordinate) {
        let tolerance = max(10, 5 * MotionDetector.accuracy(of: fix))
        if let deficit, now - deficit.at <= Self.jumpDuration,
            deficit.check.deficit(at: coordinate, tolerance: tolerance) == nil
        {
            (check, self.deficit) = (deficit.check, nil)
        }
        guard let check else { return self.check = Comparison(start: coordinate) }
        if let missing = check.deficit(at: coordinate, tolerance: tolerance) {
            // A single deviation may be a jump of the position.
            if let deficit, now - deficit.at < Self.repetition {
                pending.distance += deficit.distance + missing
                self.deficit = (0, now, check)
            } else {
                deficit = (missing, now, check)
            }
        } else if check.distance < Self.comparison {
            return
        }
        self.check = Comparison(start: coordinate)
    }

    private static func tolerance(of fix: Fix) -> Double {
        max(1, MotionDetector.accuracy(of: fix))
    }

    // MARK: Counting

    /// Adds the length of `stride` to `pending` and begins a new one.
    private mutating func flushStride() {
        pending.distance += stride.distance
        stride = Stride()
    }

    /// Counts the pending distance and time.
    private mutating func commit() {
        counted += pending.distance
        movingTime += pending.time
        pending = (0, 0)
    }

    /// Discards the pending distance and time.
    private mutating func drop() {
        stride = Stride()
        pending = (0, 0)
    }
}

/// Measures the length of a path through positions, each with a tolerance in metres. The path
/// consists of straight lines that pass every position within its tolerance, so that position
/// errors do not lengthen it.
private struct PathLength: Sendable {
    private struct Leg {
        var start: Coordinate
        /// The last position that the line passes.
        var last: Coordinate
        /// The distance from the start of the line to its last position, in metres.
        var length = 0.0
        /// The distance from the start of the line to the farthest position, in metres.
        var farthest = 0.0
        /// The directions in which a line from the start passes all positions within their
        /// tolerances, in radians: the middle of their range and half its width.
        var directions: (middle: Double, width: Double)?
    }

    private var leg: Leg?
    private var finished = 0.0

    /// The length in metres, including the unfinished line.
    var length: Double { finished + (leg?.length ?? 0) }
    /// Whether a path has begun and not ended.
    var isOpen: Bool { leg != nil }

    /// Begins a path. An unfinished path is added to the length.
    mutating func begin(at start: Coordinate) {
        if let leg { finished += leg.length }
        leg = Leg(start: start, last: start)
    }

    /// Ends the path at a position, or at its last one if `end` is `nil`. The last line is omitted
    /// if it is not longer than `tolerance`.
    mutating func end(at end: Coordinate?, tolerance: Double = 0) {
        guard let open = leg else { return }
        let length = end.map { $0.offset(from: open.start).distance } ?? open.length
        if length > tolerance { finished += length }
        leg = nil
    }

    /// Adds a position to the path, or begins a path there.
    mutating func add(_ coordinate: Coordinate, tolerance: Double) {
        guard var open = leg else { return begin(at: coordinate) }
        let way = coordinate.offset(from: open.start)
        let distance = way.distance
        guard distance > tolerance else {
            // The path returned to the start of the line, so the way there and back must be
            // counted.
            guard open.farthest > 3 * tolerance else { return }
            return endLeg(open, coordinate, tolerance)
        }
        let angle = PortableMath.atan2(way.east, way.north)
        let width = PortableMath.asin(min(1, tolerance / distance))
        if let known = open.directions {
            let difference = (angle - known.middle).remainder(dividingBy: 2 * .pi)
            guard abs(difference) <= known.width, distance > open.farthest - 2 * tolerance else {
                return endLeg(open, coordinate, tolerance)
            }
            let low = max(-known.width, difference - width)
            let high = min(known.width, difference + width)
            open.directions = (known.middle + (low + high) / 2, (high - low) / 2)
        } else {
            open.directions = (angle, width)
        }
        open.last = coordinate
        open.length = distance
        open.farthest = max(open.farthest, distance)
        leg = open
    }

    /// Ends the line at its last position, begins the next line there, and adds `coordinate` to the
    /// next line.
    private mutating func endLeg(_ open: Leg, _ coordinate: Coordinate, _ tolerance: Double) {
        finished += open.length
        leg = Leg(start: open.last, last: open.last)
        add(coordinate, tolerance: tolerance)
    }
}
