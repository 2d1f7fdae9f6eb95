// SPDX-License-Identifier: MIT

/// The total ascent and descent of a track. Rises and falls that may be noise are left out.
///
/// Altitudes count while the receiver moves; at rest they are averaged. They are smoothed over half
/// a minute, but stay within twice the vertical accuracy of the received value. A rise ends when
/// the height has fallen by the tolerance, and a fall when it has risen by the tolerance.
/// the tolerance, and a fall where it has gone up again.
struct HeightProfile: Sendable {
    /// The smallest tolerance in metres, for any reported accuracy.
    private static let leastTolerance = 10.0
    /// Metres assumed if the vertical accuracy is unknown.
    private static let assumedAccuracy = 2.0
    /// Seconds over which altitudes are smoothed, and averaged at rest.
    private static let (smoothing, averaging) = (30.0, 100.0)

    private enum Direction { case unknown, up, down }

    private var direction = Direction.unknown
    /// The start and the current end of the rise or fall; before the first one, the lowest and the
    /// highest height.
    private var start = Double.infinity
    private var end = -Double.infinity
    private var rises = 0.0
    private var falls = 0.0
    /// The smoothed height; `nil` at rest.
    private var height: Double?
    /// The mean height at rest.
    private var rest: Double?

    /// The last received height, or the mean at rest; the smoothed height lags behind it.
    private var latest: Double?

    /// Total ascent in metres.
    var climb: Double { rises + (direction == .up ? max(end, latest ?? end) - start : 0) }
    /// Total descent in metres.
    var descent: Double { falls + (direction == .down ? start - min(end, latest ?? end) : 0) }

    /// Adds a height with its accuracy (68 %), if known; `step` is the time since the last one in
    /// seconds.
    mutating func add(
        _ received: Double, accuracy: Double?, isMoving: Bool, after step: Double?
    ) {
        guard isMoving else {
            height = nil
            let share = step.map { $0 / ($0 + Self.averaging) } ?? 0
            rest = rest.map { $0 + (received - $0) * share } ?? received
            latest = rest
            return
        }
        let accuracy = accuracy ?? Self.assumedAccuracy
        let tolerance = max(Self.leastTolerance, 5 * accuracy)
        if let place = rest {
            add(place, tolerance)
            (height, rest) = (place, nil)
        }
        let old = height ?? received
        let share = step.map { $0 / ($0 + Self.smoothing) } ?? 1
        let smooth = min(
            max(old + (received - old) * share, received - 2 * accuracy), received + 2 * accuracy)
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

    /// Ends a segment: the next height does not continue the previous ones.
    mutating func endSegment() {
        (rises, falls) = (climb, descent)
        (direction, start, end) = (.unknown, .infinity, -.infinity)
        (height, rest, latest) = (nil, nil, nil)
    }
}
