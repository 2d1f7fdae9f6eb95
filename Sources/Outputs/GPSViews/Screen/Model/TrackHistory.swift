// SPDX-License-Identifier: MIT
package import GNSS

/// The track of the last ten minutes, with at most two points per second.
package struct TrackHistory: Sendable {
    /// A point of the track.
    package struct Point: Hashable, Sendable {
        package let coordinate: Coordinate
        /// The time in seconds: of the monotonic clock or, for a recording, since its first
        /// position.
        package let seconds: Double
    }

    /// The maximum duration of the track in seconds.
    static let maximumDuration = 600.0
    private static let limit = 1200

    /// The points from the oldest to the newest.
    package private(set) var points: [Point] = []

    /// The time from the oldest to the newest point, in seconds.
    var duration: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return min(Self.maximumDuration, max(0, last.seconds - first.seconds))
    }

    /// Adds a position. If the last but one point is less than half a second older, the position
    /// replaces the last point.
    mutating func add(_ coordinate: Coordinate, at seconds: Double) {
        let point = Point(coordinate: coordinate, seconds: seconds)
        if points.count > 1, 0..<0.5 ~= seconds - points[points.count - 2].seconds {
            points[points.count - 1] = point
        } else {
            points.append(point)
        }
        let isOld = { (point: Point) in seconds - point.seconds > Self.maximumDuration }
        // Old points are removed in blocks, because moving the remaining ones is expensive.
        if points.count > Self.limit + 100
            || points.first.map(isOld) == true && points.count % 64 == 0
        {
            points.removeFirst(max(0, points.count - Self.limit))
            points.removeAll(where: isOld)
        }
    }
}
