// SPDX-License-Identifier: MIT

/// Computes the climb rate for a receiver that does not measure it. The rate is the slope of a line
/// fitted to the altitudes of the last ten seconds, or to the last two altitudes if they are
/// farther apart in time.
///
/// gpsd uses the difference between two altitudes, which at 10 Hz is mostly noise.
package struct AltitudeTrend: Equatable, Sendable {
    /// The time span of the stored altitudes, in seconds.
    private static let length = 10.0
    /// The shortest time span of the altitudes for which a slope is computed, in seconds.
    private static let minimumSpan = 5.0
    /// The longest interval between two consecutive altitudes, in seconds. After a longer one, the
    /// trend starts again.
    private static let gap = 60.0
    /// The shortest interval between stored altitudes, in seconds. Altitudes that follow sooner are
    /// ignored, because they would add no information.
    private static let step = 0.04

    private struct Point: Equatable, Sendable {
        let seconds: Double
        let altitude: Double
    }

    private var points: [Point] = []

    /// Creates an empty trend.
    package init() {}

    /// Adds the altitude of a fix. A fix without a position, an altitude or a time resets the
    /// trend.
    package mutating func add(_ fix: Fix) {
        let nanoseconds = fix.time?.unixNanoseconds ?? fix.timeOfDay?.nanoseconds
        guard fix.coordinate != nil, let nanoseconds,
            let altitude = fix.altitude ?? fix.ellipsoidalAltitude, altitude.isFinite
        else { return points.removeAll(keepingCapacity: true) }
        let point = Point(seconds: Double(nanoseconds) / 1e9, altitude: altitude)
        if let last = points.last {
            let step = point.seconds - last.seconds
            if 0..<Self.step ~= step { return }
            if !(0...Self.gap ~= step) { points.removeAll(keepingCapacity: true) }
        }
        points.append(point)
        // Altitudes older than `length` are removed, but two are always kept.
        var old = 0
        while old + 2 < points.count, point.seconds - points[old].seconds > Self.length { old += 1 }
        points.removeFirst(old)
    }

    /// The climb rate in metres per second; `nil` until the altitudes span five seconds.
    package var slope: Double? {
        guard let first = points.first, let last = points.last,
            last.seconds - first.seconds >= Self.minimumSpan
        else { return nil }
        // Computed from all altitudes each time, so that rounding errors do not accumulate.
        var (t, h, tt, th) = (0.0, 0.0, 0.0, 0.0)
        for point in points {
            let (seconds, height) = (point.seconds - first.seconds, point.altitude - first.altitude)
            t += seconds
            h += height
            tt += seconds * seconds
            th += seconds * height
        }
        let count = Double(points.count)
        return (count * th - t * h) / (count * tt - t * t)
    }
}
