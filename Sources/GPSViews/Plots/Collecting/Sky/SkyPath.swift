// SPDX-License-Identifier: MIT
import Glibc

/// The path of one satellite across the sky, in a limited number of points.
package struct SkyPath: Sendable {
    /// A direction, in degrees.
    package struct Point: LinePoint, Hashable, Sendable {
        package let elevation: Float
        package let azimuth: Float
        /// The fix used it.
        package let isUsed: Bool
        /// It came from elsewhere than the point before.
        package var beginsSegment: Bool

        /// Degrees between two directions.
        func angle(to other: Point) -> Double {
            let degree = Float.pi / 180
            let (a, b) = (elevation * degree, other.elevation * degree)
            let turn = (other.azimuth - azimuth) * degree
            let cosine = sin(a) * sin(b) + cos(a) * cos(b) * cos(turn)
            return Double(acos(max(-1, min(1, cosine))) / degree)
        }
    }

    package static let limit = 256
    /// Degrees that no satellite goes from one list to the next.
    private static let leap = 12.0
    /// Degrees between points at the most: an arc of them still looks round.
    private static let coarsest = 2.0

    /// From the oldest to the newest.
    package private(set) var points: [Point] = []
    /// Where it is now; it may be too near to the last point to be one.
    package private(set) var last: Point?
    /// The minimum distance between points, in degrees.
    private var spacing = 1.0

    package init() {}

    package mutating func add(elevation: Double, azimuth: Double, isUsed: Bool) {
        var point = Point(
            elevation: Float(elevation), azimuth: Float(azimuth), isUsed: isUsed,
            beginsSegment: false)
        // Degrees are whole ones, and lists come every second.
        if let last, last.elevation == point.elevation, last.azimuth == point.azimuth,
            last.isUsed == isUsed
        {
            return
        }
        if let last, last.angle(to: point) > Self.leap { point.beginsSegment = true }
        if last == nil { point.beginsSegment = true }
        let isNews =
            point.beginsSegment
            || points.last.map { $0.isUsed != isUsed || $0.angle(to: point) >= spacing } ?? true
        last = point
        guard isNews else { return }
        points.append(point)
        if points.count == Self.limit { thin() }
    }

    /// Takes away what is too near to the point before; of what comes back day after day the older half.
    private mutating func thin() {
        guard spacing < Self.coarsest else {
            points.removeFirst(points.count / 2)
            points[0].beginsSegment = true
            return
        }
        spacing *= 2
        points.thin { [spacing] in $0.angle(to: $1) < spacing }
        if points.count > Self.limit * 3 / 4 { thin() }
    }
}
