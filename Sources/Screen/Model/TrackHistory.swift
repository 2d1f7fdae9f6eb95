// SPDX-License-Identifier: MIT
package import GNSS

/// The way of the last minutes, thinned so that it stays small.
package struct TrackHistory: Sendable {
    /// One place on the way.
    package struct Point: Hashable, Sendable {
        package let coordinate: Coordinate
        package let moment: ClockReading
    }

    /// How much is kept.
    static let seconds = 600.0
    private static let limit = 1200

    /// From the oldest to the newest.
    package private(set) var points: [Point] = []

    /// Goes on to a place; more than two a second are more than can be seen.
    mutating func add(_ coordinate: Coordinate, at moment: ClockReading) {
        let point = Point(coordinate: coordinate, moment: moment)
        if points.count > 1, moment.seconds(since: points[points.count - 2].moment) < 0.5 {
            points[points.count - 1] = point
        } else {
            points.append(point)
        }
        let isOld = { (point: Point) in moment.seconds(since: point.moment) > Self.seconds }
        // Taken away many at a time: moving the rest costs.
        if points.count > Self.limit + 100
            || points.first.map(isOld) == true && points.count % 64 == 0
        {
            points.removeFirst(max(0, points.count - Self.limit))
            points.removeAll(where: isOld)
        }
    }
}
