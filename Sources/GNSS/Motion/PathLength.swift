// SPDX-License-Identifier: MIT

/// The length of a path through positions that are known within a tolerance. Straight lines pass
/// every position within the tolerance, so that position errors add no length.
struct PathLength: Sendable {
    private struct Leg {
        var start: Coordinate
        /// The last position on the line.
        var last: Coordinate
        /// Metres from the start to the last position, and to the farthest one.
        var length = 0.0
        var farthest = 0.0
        /// The directions in which lines pass all positions, in radians: the middle and half the width.
        var directions: (middle: Double, width: Double)?
    }

    private var leg: Leg?
    private var finished = 0.0

    /// Metres, the open line included.
    var length: Double { finished + (leg?.length ?? 0) }
    /// Whether a way has begun.
    var isOpen: Bool { leg != nil }

    init() {}

    /// Begins a way.
    mutating func begin(at start: Coordinate) {
        if let leg { finished += leg.length }
        leg = Leg(start: start, last: start)
    }

    /// Ends the way at a position, without its last line where that is shorter than the tolerance.
    mutating func end(at end: Coordinate?, tolerance: Double = 0) {
        guard let open = leg else { return }
        let length = end.map { $0.offset(from: open.start).distance } ?? open.length
        if length > tolerance { finished += length }
        leg = nil
    }

    /// Adds a position to the path.
    mutating func add(_ coordinate: Coordinate, tolerance: Double) {
        guard var open = leg else { return begin(at: coordinate) }
        let way = coordinate.offset(from: open.start)
        let distance = way.distance
        guard distance > tolerance else {
            // Back at the start: the way there counts, and the way back.
            guard open.farthest > 3 * tolerance else { return }
            return turn(open, coordinate, tolerance)
        }
        let angle = PortableMath.atan2(way.east, way.north)
        let width = PortableMath.asin(min(1, tolerance / distance))
        if let known = open.directions {
            let difference = (angle - known.middle).remainder(dividingBy: 2 * .pi)
            guard abs(difference) <= known.width, distance > open.farthest - 2 * tolerance else {
                return turn(open, coordinate, tolerance)
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

    /// Begins the next line where the last one ended.
    private mutating func turn(_ open: Leg, _ coordinate: Coordinate, _ tolerance: Double) {
        finished += open.length
        leg = Leg(start: open.last, last: open.last)
        add(coordinate, tolerance: tolerance)
    }
}
