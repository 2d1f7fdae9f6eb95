// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A quantity over time, in a limited number of steps. Each step contains the minimum, the maximum
/// and the mean, so that peaks remain visible in long recordings.
package struct TimeSeries: Sendable {
    /// The values within one step of time.
    package struct Step: Hashable, Sendable {
        /// The start of the step, in units of `width` from the zero point of the scale.
        fileprivate(set) var index: Int64
        package private(set) var minimum: Double
        package private(set) var maximum: Double
        private var sum: Double
        private var count: Double
        /// Whether the step is not connected with the previous one.
        fileprivate(set) var beginsSegment: Bool

        fileprivate init(_ index: Int64, _ value: Double, _ beginsSegment: Bool) {
            self.index = index
            (minimum, maximum, sum, count) = (value, value, value, 1)
            self.beginsSegment = beginsSegment
        }

        package var mean: Double { sum / count }

        fileprivate mutating func merge(_ other: Step) {
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            sum += other.sum
            count += other.count
        }
    }

    package static let limit = 1024

    /// The steps in order of time.
    package private(set) var steps: [Step] = []
    /// The width of a step in nanoseconds.
    package private(set) var width: Int64 = 1_000_000
    /// The zero point of the times.
    package private(set) var scale = FixTime.Scale.order
    private var beginsSegment = true
    private var total = (sum: 0.0, count: 0.0)

    package init() {}

    /// The mean of all values; `nil` if there are none.
    package var mean: Double? { total.count > 0 ? total.sum / total.count : nil }

    /// Returns the start of a step in nanoseconds from the zero point of the scale.
    package func start(of step: Step) -> Int64 {
        let (start, overflow) = step.index.multipliedReportingOverflow(by: width)
        guard overflow else { return start }
        return step.index < 0 ? .min : .max
    }

    /// Ends the segment, so that later steps are not connected with earlier ones.
    mutating func endSegment() { beginsSegment = true }

    /// Adds a value. If its time has a less informative scale than earlier ones (such as no date),
    /// the value is dropped. The first value with a more informative scale replaces all earlier
    /// values. A value that is not finite is dropped.
    package mutating func add(_ value: Double, at moment: FixTime) {
        guard value.isFinite, moment.scale >= scale || steps.isEmpty else { return }
        if moment.scale != scale {
            self = TimeSeries()
            scale = moment.scale
        }
        total.sum += value
        total.count += 1
        let step = Step(floorDivided(moment.nanoseconds, width), value, beginsSegment)
        beginsSegment = false
        let end = steps.count - 1
        if end >= 0, step.index == steps[end].index { return steps[end].merge(step) }
        insert(step)
        shorten()
    }

    /// Inserts a step in order of time, nearly always at the end.
    private mutating func insert(_ step: Step) {
        var (low, high) = (0, steps.count)
        if let last = steps.last, last.index < step.index { low = high }
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].index < step.index { low = middle + 1 } else { high = middle }
        }
        if low < steps.count, steps[low].index == step.index {
            steps[low].merge(step)
        } else {
            steps.insert(step, at: low)
        }
    }

    /// If there are more than `limit` steps, doubles their width until at most half of `limit`
    /// remain.
    private mutating func shorten() {
        guard steps.count > Self.limit else { return }
        while steps.count > Self.limit / 2, width < 1 << 60 {
            width *= 2
            var merged: [Step] = []
            for var step in steps {
                step.index >>= 1
                if let last = merged.last, last.index == step.index {
                    merged[merged.count - 1].merge(step)
                } else {
                    merged.append(step)
                }
            }
            steps = merged
        }
    }
}

/// The mean C/N0 by direction. The sky is divided into cells that look equally large on the plot.
package struct SkyCells: Sendable {
    /// The number of rings around the zenith. Each covers ten degrees of elevation.
    private static let rings = 9

    /// A part of the sky. `elevations` and `azimuths` are in degrees.
    package struct Cell: Hashable, Sendable {
        package let elevations: ClosedRange<Double>
        package let azimuths: ClosedRange<Double>
        /// The mean C/N0 in dB-Hz.
        package let cn0: Double
    }

    private var sums = [Double](repeating: 0, count: SkyCells.count)
    private var counts = [Double](repeating: 0, count: SkyCells.count)

    private static func cells(inside ring: Int) -> Int { 4 * ring * ring }

    private static let count = cells(inside: rings)

    package init() {}

    package mutating func add(_ cn0: Double, elevation: Double, azimuth: Double) {
        guard cn0.isFinite, 0...90 ~= elevation, azimuth.isFinite else { return }
        let ring = min(Self.rings - 1, Int((90 - elevation) / 10))
        let sectors = Self.cells(inside: ring + 1) - Self.cells(inside: ring)
        var fraction = azimuth / 360
        if !(0..<1 ~= fraction) { fraction -= fraction.rounded(.down) }
        let index = Self.cells(inside: ring) + min(sectors - 1, Int(fraction * Double(sectors)))
        sums[index] += cn0
        counts[index] += 1
    }

    /// The cells with at least one received signal.
    package var received: [Cell] {
        (0..<Self.rings).flatMap { ring -> [Cell] in
            let first = Self.cells(inside: ring)
            let sectors = Self.cells(inside: ring + 1) - first
            return (0..<sectors).compactMap { sector -> Cell? in
                guard counts[first + sector] > 0 else { return nil }
                let width = 360 / Double(sectors)
                return Cell(
                    elevations: 80 - Double(ring) * 10...90 - Double(ring) * 10,
                    azimuths: Double(sector) * width...Double(sector + 1) * width,
                    cn0: sums[first + sector] / counts[first + sector])
            }
        }
    }
}

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
