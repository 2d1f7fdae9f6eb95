// SPDX-License-Identifier: MIT

/// Measures the length of a path through positions, each with a tolerance in metres. The path
/// consists of straight lines that pass every position within its tolerance, so that position
/// errors do not lengthen it.
struct PathLength: Sendable {
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
