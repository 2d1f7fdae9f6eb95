// SPDX-License-Identifier: MIT
package import GNSS

/// The track of the last minutes, thinned so that it stays small.
package struct TrackHistory: Sendable {
    /// One place on the track.
    package struct Point: Hashable, Sendable {
        package let coordinate: Coordinate
        /// When the receiver was there: seconds of the monotonic clock, or of a recording since its first position.
        package let seconds: Double
    }

    /// How many seconds are kept.
    static let seconds = 600.0
    private static let limit = 1200

    /// From the oldest to the newest.
    package private(set) var points: [Point] = []

    /// Seconds from the oldest point to the newest.
    var duration: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return min(Self.seconds, max(0, last.seconds - first.seconds))
    }

    /// Adds a place; more than two a second are more than can be seen.
    mutating func add(_ coordinate: Coordinate, at seconds: Double) {
        let point = Point(coordinate: coordinate, seconds: seconds)
        if points.count > 1, 0..<0.5 ~= seconds - points[points.count - 2].seconds {
            points[points.count - 1] = point
        } else {
            points.append(point)
        }
        let isOld = { (point: Point) in seconds - point.seconds > Self.seconds }
        // Removed many at a time: moving the rest costs.
        if points.count > Self.limit + 100
            || points.first.map(isOld) == true && points.count % 64 == 0
        {
            points.removeFirst(max(0, points.count - Self.limit))
            points.removeAll(where: isOld)
        }
    }
}
