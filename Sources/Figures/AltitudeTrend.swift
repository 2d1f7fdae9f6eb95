// SPDX-License-Identifier: MIT
package import GNSS

/// How fast a receiver climbs that does not measure it: the slope of the line through its altitudes
/// of the last ten seconds, or of the last two where these are farther apart.
///
/// gpsd takes the difference of two altitudes, of which at 10 Hz little is left but noise.
package struct AltitudeTrend: Sendable {
    /// Seconds of altitudes that count, and how many there have to be.
    private static let (length, least) = (10.0, 5.0)
    /// Seconds after which an altitude does not follow on the one before.
    private static let gap = 60.0
    /// Seconds between altitudes that are kept; those of faster receivers tell no more.
    private static let step = 0.04
    /// Seconds for which sums are continued; then they are summed up anew, since they lose digits.
    private static let continued = 600.0

    private struct Point: Sendable {
        let seconds: Double
        let altitude: Double
    }

    /// Sums over points, relative to one of them.
    private struct Sums: Sendable {
        var origin: Point
        var t = 0.0
        var h = 0.0
        var tt = 0.0
        var th = 0.0

        mutating func add(_ point: Point, _ sign: Double) {
            let (t, h) = (point.seconds - origin.seconds, point.altitude - origin.altitude)
            self.t += sign * t
            self.h += sign * h
            tt += sign * t * t
            th += sign * t * h
        }
    }

    private var points: [Point] = []
    /// The index of the first point that counts.
    private var first = 0
    private var sums: Sums?

    /// Creates a trend without altitudes.
    package init() {}

    /// Adds a fix; one without an altitude or a time begins anew.
    package mutating func add(_ fix: Fix) {
        let nanoseconds = fix.time?.unixNanoseconds ?? fix.timeOfDay?.nanoseconds
        guard fix.coordinate != nil, let nanoseconds,
            let altitude = fix.altitude ?? fix.ellipsoidalAltitude, altitude.isFinite
        else { return self = AltitudeTrend() }
        let point = Point(seconds: Double(nanoseconds) / 1e9, altitude: altitude)
        if let last = points.last {
            let step = point.seconds - last.seconds
            if 0..<Self.step ~= step { return }
            if !(0...Self.gap ~= step) { self = AltitudeTrend() }
        }
        points.append(point)
        if sums == nil { sums = Sums(origin: point) }
        sums?.add(point, 1)
        while points.count - first > 2, point.seconds - points[first].seconds > Self.length {
            sums?.add(points[first], -1)
            first += 1
        }
        guard let sums, point.seconds - sums.origin.seconds > Self.continued else { return }
        points.removeFirst(first)
        first = 0
        self.sums = Sums(origin: point)
        for point in points { self.sums?.add(point, 1) }
    }

    /// Metres per second upwards; `nil` until there are altitudes of some seconds.
    package var slope: Double? {
        guard let sums, let last = points.last, last.seconds - points[first].seconds >= Self.least
        else { return nil }
        let count = Double(points.count - first)
        return (count * sums.th - sums.t * sums.h) / (count * sums.tt - sums.t * sums.t)
    }
}
