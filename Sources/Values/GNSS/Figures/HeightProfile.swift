// SPDX-License-Identifier: MIT

/// Computes the total ascent and descent of a track. Changes of height that may be noise are not
/// counted.
///
/// While the receiver is at rest, altitudes are averaged. In motion, they are smoothed over half a
/// minute, but the smoothed height stays within twice the vertical accuracy of the received value.
/// A rise ends when the height has fallen by a tolerance, and a fall ends when it has risen by the
/// tolerance. The tolerance is five times the vertical accuracy, but at least 10 m.
struct HeightProfile: Sendable {
    /// The minimum tolerance in metres: a smaller change of height never ends a rise or a fall. It
    /// is used even if the receiver reports a better accuracy.
    private static let minimumTolerance = 10.0
    /// The assumed vertical accuracy if the accuracy is unknown, in metres.
    private static let assumedAccuracy = 2.0
    /// The smoothing time of altitudes in motion, in seconds.
    private static let smoothing = 30.0
    /// The averaging time of altitudes at rest, in seconds.
    private static let averaging = 100.0

    private enum Direction { case unknown, up, down }

    private var direction = Direction.unknown
    /// The height in metres at the start of the current rise or fall. Before a segment's first rise
    /// or fall, the lowest height so far.
    private var start = Double.infinity
    /// The highest height of the current rise, or the lowest height of the current fall, in metres.
    /// Before a segment's first rise or fall, the highest height so far.
    private var end = -Double.infinity
    private var rises = 0.0
    private var falls = 0.0
    /// The smoothed height in metres; `nil` at rest.
    private var height: Double?
    /// The mean height at rest, in metres; `nil` in motion.
    private var rest: Double?

    /// The last received height in motion, or the mean height at rest, in metres. In motion,
    /// `height` lags behind the received heights.
    private var latest: Double?

    /// The total ascent in metres.
    var climb: Double { rises + (direction == .up ? max(end, latest ?? end) - start : 0) }
    /// The total descent in metres.
    var descent: Double { falls + (direction == .down ? start - min(end, latest ?? end) : 0) }

    /// Adds a height with its 68 % accuracy, both in metres. `step` is the time since the previous
    /// height in seconds; `nil` if unknown.
    mutating func add(
        _ received: Double, accuracy: Double?, isMoving: Bool, after step: Double?
    ) {
        guard isMoving else {
            height = nil
            let weight = step.map { $0 / ($0 + Self.averaging) } ?? 0
            rest = rest.map { $0 + (received - $0) * weight } ?? received
            latest = rest
            return
        }
        let accuracy = accuracy ?? Self.assumedAccuracy
        let tolerance = max(Self.minimumTolerance, 5 * accuracy)
        if let restHeight = rest {
            add(restHeight, tolerance)
            (height, rest) = (restHeight, nil)
        }
        let old = height ?? received
        let weight = step.map { $0 / ($0 + Self.smoothing) } ?? 1
        let smooth = min(
            max(old + (received - old) * weight, received - 2 * accuracy), received + 2 * accuracy)
        (height, latest) = (smooth, received)
        add(smooth, tolerance)
    }

    private mutating func add(_ height: Double, _ tolerance: Double) {
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

    /// Ends a segment of the track. The difference between the last height and the next one is not
    /// counted.
    mutating func endSegment() {
        (rises, falls) = (climb, descent)
        (direction, start, end) = (.unknown, .infinity, -.infinity)
        (height, rest, latest) = (nil, nil, nil)
    }
}
