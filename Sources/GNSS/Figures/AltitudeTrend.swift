// SPDX-License-Identifier: MIT

/// The climb rate of a receiver that does not measure it: the slope of a line through its altitudes
/// of the last ten seconds, or of the last two altitudes if they are farther apart.
///
/// gpsd uses the difference of two altitudes, which at 10 Hz is mostly noise.
package struct AltitudeTrend: Equatable, Sendable {
    /// The seconds of altitudes used, and the seconds required.
    private static let (length, least) = (10.0, 5.0)
    /// Seconds after which an altitude does not continue the previous ones.
    private static let gap = 60.0
    /// The shortest interval between stored altitudes in seconds; more add no information.
    private static let step = 0.04

    private struct Point: Equatable, Sendable {
        let seconds: Double
        let altitude: Double
    }

    private var points: [Point] = []

    /// Creates a trend without altitudes.
    package init() {}

    /// Adds a fix; one without an altitude or a time resets the trend.
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

    /// The climb rate in metres per second; `nil` until the altitudes span some seconds.
    package var slope: Double? {
        guard let first = points.first, let last = points.last,
            last.seconds - first.seconds >= Self.least
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
