// SPDX-License-Identifier: MIT

/// How far a way goes up and down: the sum of its rises and of its falls, of which those are left out
/// that may be noise.
///
/// A rise ends where it has gone down again by the tolerance, and a fall likewise.
struct HeightProfile: Sendable {
    /// Metres that are noise, whatever the receiver says of its accuracy.
    private static let leastTolerance = 10.0

    private enum Direction { case unknown, up, down }

    private var direction = Direction.unknown
    /// Where the present rise or fall began, and where it has led; the lowest and the highest height
    /// where neither has begun.
    private var start = Double.infinity
    private var end = -Double.infinity
    private var rises = 0.0
    private var falls = 0.0

    /// Metres upwards.
    var climb: Double { rises + (direction == .up ? end - start : 0) }
    /// Metres downwards.
    var descent: Double { falls + (direction == .down ? start - end : 0) }

    /// Adds a height, with its accuracy (68 %) where that is known.
    mutating func add(_ height: Double, accuracy: Double?) {
        let tolerance = max(Self.leastTolerance, 2 * (accuracy ?? 0))
        switch direction {
        case .unknown:
            (start, end) = (min(start, height), max(end, height))
            if height - start >= tolerance {
                (direction, end) = (.up, height)
            } else if end - height >= tolerance {
                (direction, start, end) = (.down, end, height)
            }
        case .up:
            if height > end { end = height }
            if end - height >= tolerance {
                rises += end - start
                (direction, start, end) = (.down, end, height)
            }
        case .down:
            if height < end { end = height }
            if height - end >= tolerance {
                falls += start - end
                (direction, start, end) = (.up, end, height)
            }
        }
    }

    /// What follows does not follow on what was.
    mutating func endSegment() {
        (rises, falls) = (climb, descent)
        (direction, start, end) = (.unknown, .infinity, -.infinity)
    }
}
