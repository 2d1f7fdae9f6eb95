// SPDX-License-Identifier: MIT
import Glibc

/// The path of a satellite across the sky, with a limited number of points.
package struct SkyPath: Sendable {
    /// A direction of the satellite. The angles are in degrees.
    package struct Point: LinePoint, Hashable, Sendable {
        package let elevation: Float
        package let azimuth: Float
        /// Whether the fix used the satellite.
        package let isUsed: Bool
        /// Whether the point is not connected with the previous one.
        package var beginsSegment: Bool

        /// Returns the angle to another direction in degrees.
        func angle(to other: Point) -> Double {
            let degree = Float.pi / 180
            let (a, b) = (elevation * degree, other.elevation * degree)
            let turn = (other.azimuth - azimuth) * degree
            let cosine = sin(a) * sin(b) + cos(a) * cos(b) * cos(turn)
            return Double(acos(max(-1, min(1, cosine))) / degree)
        }
    }

    package static let limit = 256
    /// The maximum angle in degrees between two consecutive directions. A larger one begins a new
    /// segment of the path.
    private static let leap = 12.0
    /// The maximum of `spacing` in degrees. With points this far apart, an arc still looks round.
    private static let maximumSpacing = 2.0

    /// The points from the oldest to the newest.
    package private(set) var points: [Point] = []
    /// The latest direction; `nil` if there is none. It may be too close to the last point to be in
    /// `points`.
    package private(set) var last: Point?
    /// The minimum angle between points, in degrees. It is doubled if there are too many points.
    private var spacing = 1.0

    package init() {}

    package mutating func add(elevation: Double, azimuth: Double, isUsed: Bool) {
        var point = Point(
            elevation: Float(elevation), azimuth: Float(azimuth), isUsed: isUsed,
            beginsSegment: false)
        // Receivers report whole degrees every second, so most directions equal the previous one.
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

    /// Removes points that are too close to the previous one. At the maximum spacing, removes the
    /// older half instead, because the paths of most satellites repeat every day.
    private mutating func thin() {
        guard spacing < Self.maximumSpacing else {
            points.removeFirst(points.count / 2)
            points[0].beginsSegment = true
            return
        }
        spacing *= 2
        points.thin { [spacing] in $0.angle(to: $1) < spacing }
        if points.count > Self.limit * 3 / 4 { thin() }
    }
}
