// SPDX-License-Identifier: MIT

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
