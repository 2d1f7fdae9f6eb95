// SPDX-License-Identifier: MIT

/// How far a receiver moves, and how long, fix by fix. Memory does not grow.
///
/// At rest (`MotionDetector`) nothing is counted. While it moves, and fixes are at most 2.5 s apart, the speed
/// counts, which has less error than the positions: added up with its course over 4 m or a fix, whichever is
/// longer. Elsewhere straight lines count that pass all positions within their 68 % radius (1 m at least). The way
/// from where it rested, and the one across a gap, is the straight line.
package struct Odometer: Sendable {
    /// Seconds up to which speeds are added up.
    private static let longestStep = 2.5
    /// Metres over which speeds are added up with their courses.
    private static let stride = 4.0
    /// Metres a second below which it has not begun to move.
    private static let start = 0.25
    /// Seconds within which speeds that are too low twice are not right.
    private static let repetition = 60.0
    /// Metres after which positions are compared with speeds anew.
    private static let comparison = 1000.0

    /// A way that speeds give.
    private struct Stride {
        var east = 0.0
        var north = 0.0
        /// Metres, with every turn.
        var length = 0.0

        var distance: Double { (east * east + north * north).squareRoot() }
    }

    /// Whether it moves.
    package private(set) var motion = MotionDetector()
    /// Seconds between the last two fixes; `nil` where that is not known.
    package private(set) var step: Double?
    /// Whether the last fix does not follow on the one before: it is earlier, or comes after a gap.
    package private(set) var beganSegment = false
    /// The greatest speed that was received, in metres a second.
    package private(set) var receivedMaximum: Double?
    /// The greatest speed along positions without one.
    private var positionsMaximum: Double?

    private let gap: Double
    private var clock = FixClock()
    private var last: (coordinate: Coordinate, speed: Double?, course: Double?)?
    private var counted = 0.0
    private var countedTime = 0.0
    /// The way that counts unless the receiver turns out to be at rest.
    private var pending = (distance: 0.0, time: 0.0)
    private var stride = Stride()
    private var path = PathLength()
    /// From where on positions are compared with speeds.
    private var check: (coordinate: Coordinate, distance: Double)?
    /// By how much the speeds were too low, and when.
    private var deficit: (distance: Double, at: Double)?
    /// Seconds since the segment began.
    private var now = 0.0
    /// From where on positions give a speed.
    private var sprint: (coordinate: Coordinate, seconds: Double)?

    /// Creates an odometer; after more than `gap` seconds without a fix it begins anew.
    package init(gap: Double = .infinity) {
        self.gap = gap
    }

    /// Metres over ground.
    package var distance: Double {
        counted + path.length + (motion.isSlowing || !isMoving ? 0 : stride.distance)
    }

    /// Seconds in which it moved.
    package var movingTime: Double { countedTime }

    /// Metres a second while it moved; `nil` where it did not. Never more than the maximum.
    package var averageSpeed: Double? {
        guard movingTime > 0 else { return nil }
        let average = distance / movingTime
        return positionsMaximum == nil ? min(average, receivedMaximum ?? average) : average
    }

    /// The greatest speed in metres a second: as received; along the way where none is, and then the average
    /// at least.
    package var maximumSpeed: Double? {
        guard positionsMaximum != nil || receivedMaximum == nil else { return receivedMaximum }
        return [receivedMaximum, positionsMaximum, averageSpeed].compactMap(\.self).max()
    }

    /// Whether it moves.
    package var isMoving: Bool { motion.state == .moving }

    /// Begins anew with the next fix: what lies between is not counted.
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

    /// Adds the way since the last fix by the speed; returns whether that is known.
    @discardableResult
    private mutating func addSpeed(_ fix: Fix, _ speed: Double) -> Bool {
        guard let step, step <= Self.longestStep, let last, let previous = last.speed else {
            return false
        }
        let length = (previous + speed) / 2 * step
        pending.time += step
        check?.distance += length
        if length < Self.stride, let a = last.course, let b = fix.course {
            let (from, to) = (Portable.sinCos(a.radians), Portable.sinCos(b.radians))
            // A corner of more than 60 degrees.
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

    /// Counts the way by the positions where the speeds are too low for it.
    private mutating func compare(_ fix: Fix, _ coordinate: Coordinate) {
        guard let check else { return self.check = (coordinate, 0) }
        let distance = coordinate.offset(from: check.coordinate).distance
        let tolerance = max(10, 5 * MotionDetector.accuracy(of: fix))
        if distance > 1.2 * check.distance + tolerance {
            // Once, it may be a jump of the position.
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
