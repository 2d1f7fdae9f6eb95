// SPDX-License-Identifier: MIT

/// How fast a receiver climbs that does not measure it: the slope of the line through its altitudes
/// of the last ten seconds, or of the last two where these are farther apart.
///
/// gpsd takes the difference of two altitudes, of which at 10 Hz little is left but noise.
package struct AltitudeTrend: Equatable, Sendable {
    /// Seconds of altitudes that count, and how many there have to be.
    private static let (length, least) = (10.0, 5.0)
    /// Seconds after which an altitude does not follow on the one before.
    private static let gap = 60.0
    /// Seconds between altitudes that are kept; those of faster receivers tell no more.
    private static let step = 0.04

    private struct Point: Equatable, Sendable {
        let seconds: Double
        let altitude: Double
    }

    private var points: [Point] = []

    /// Creates a trend without altitudes.
    package init() {}

    /// Adds a fix; one without an altitude or a time begins anew.
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
        // The two that are left where they are farther apart.
        var old = 0
        while old + 2 < points.count, point.seconds - points[old].seconds > Self.length { old += 1 }
        points.removeFirst(old)
    }

    /// Metres per second upwards; `nil` until there are altitudes of some seconds.
    package var slope: Double? {
        guard let first = points.first, let last = points.last,
            last.seconds - first.seconds >= Self.least
        else { return nil }
        // From all of them each time, so that it does not depend on what came before.
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
