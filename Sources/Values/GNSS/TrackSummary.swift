// SPDX-License-Identifier: MIT

/// The distance, times, speeds and heights of a track, updated with each fix in constant memory.
package struct TrackSummary: Sendable {
    /// The number of fixes with a position.
    package private(set) var fixCount = 0
    /// The number of fixes that were skipped because an earlier recording covers their times;
    /// see `RecordedTimes`.
    package private(set) var repeatedCount = 0
    /// The time of the earliest fix; `nil` if no fix had a date.
    package private(set) var start: UTCTime?
    /// The time of the latest fix; `nil` if no fix had a date.
    package private(set) var end: UTCTime?
    /// The lowest altitude in metres above mean sea level; `nil` if no fix had one.
    package private(set) var lowest: Double?
    /// The highest altitude in metres above mean sea level; `nil` if no fix had one.
    package private(set) var highest: Double?

    /// The time of the last fix with a date.
    private var latest: Int64?
    private var odometer: Odometer
    private var heights = HeightProfile()
    private var recorded: RecordedTimes

    /// Creates an empty summary. A new segment begins after more than `gap` seconds without a fix.
    package init(gap: Double = 60) {
        odometer = Odometer(gap: gap)
        recorded = RecordedTimes(gap: gap)
    }

    /// The distance over ground in metres. Gaps between segments are not counted.
    package var distance: Double { odometer.distance }
    /// The time in motion, in seconds.
    package var movingTime: Double { odometer.movingTime }
    /// The time at rest in seconds. Gaps between segments are not counted, nor is time before the
    /// first date, which is not part of `duration`.
    package var restTime: Double {
        min(odometer.restTime, duration.map { max(0, $0 - movingTime) } ?? .infinity)
    }
    /// The number of stops: how often the receiver came to rest and then moved again.
    package var stops: Int { odometer.stops }
    /// The total ascent in metres; see `HeightProfile`.
    package var climb: Double { heights.climb }
    /// The total descent in metres; see `HeightProfile`.
    package var descent: Double { heights.descent }

    /// The time from the earliest to the latest fix in seconds, with the leap seconds between them;
    /// `nil` if no fix had a date.
    package var duration: Double? {
        guard let start, let end else { return nil }
        let days = end.date.daysSince1970 - start.date.daysSince1970
        let leap = GPSTime.leapSeconds(on: end.date) - GPSTime.leapSeconds(on: start.date)
        return Double(days * 86_400 + leap)
            + Double(end.time.nanoseconds - start.time.nanoseconds) / 1e9
    }

    /// The mean speed in motion, in metres per second; `nil` if the receiver never moved.
    package var averageSpeed: Double? { odometer.averageSpeed }

    /// The highest speed in metres per second, at least `averageSpeed`; `nil` if unknown.
    package var maximumSpeed: Double? { odometer.maximumSpeed }

    /// Ends a segment: the distance to the next fix is not counted.
    package mutating func endSegment() {
        odometer.endSegment()
        heights.endSegment()
    }

    /// Begins another recording, which may be earlier than the previous one. Fixes at times that an
    /// earlier recording covers are skipped.
    package mutating func beginRecording() {
        endSegment()
        odometer.beginRecording()
        recorded.beginRecording()
    }

    /// The fixes of a recording go back by more than this time, in nanoseconds, if it contains
    /// several runs of one trip.
    private static let repetition: Int64 = 1_000_000_000

    /// Adds the next fix. Fixes at times that the recording already covers are skipped. A fix without a position ends the current segment of the track.
    package mutating func add(_ fix: Fix) {
        guard fix.coordinate != nil else { return endSegment() }
        if let time = fix.time {
            if let latest, time.unixNanoseconds < latest &- Self.repetition {
                recorded.beginRecording()
            }
            latest = time.unixNanoseconds
            guard recorded.isNew(time.unixNanoseconds) else {
                repeatedCount += 1
                return endSegment()
            }
            if start.map({ time.isBefore($0) }) ?? true { start = time }
            if end.map({ $0.isBefore(time) }) ?? true { end = time }
        }
        fixCount += 1
        odometer.add(fix)
        if odometer.beganSegment { heights.endSegment() }
        guard let altitude = fix.altitude else { return }
        lowest = min(lowest ?? altitude, altitude)
        highest = max(highest ?? altitude, altitude)
        heights.add(
            altitude, accuracy: fix.accuracy.vertical ?? Self.assumedAccuracy(fix),
            isMoving: odometer.isMoving,
            after: odometer.step)
    }

    /// Returns the vertical accuracy calculated from the VDOP, as for a receiver that sends only
    /// DOPs. GPX files need this, because they contain no accuracy.
    private static func assumedAccuracy(_ fix: Fix) -> Double? {
        guard let vdop = fix.dilution.vdop else { return nil }
        return RangeError().assumed(for: fix.quality).map { vdop * $0 }
    }
}

extension TrackSummary {
    /// A named value of a track, as shown by `convert --summary`, in plots and on the screen.
    package struct Row: Sendable {
        package let name: String
        package let value: String
    }

    /// Returns one row for each known value: durations, distance, speeds and heights.
    package func rows(_ units: Units) -> [Row] {
        func speed(_ value: Double?) -> String? { value.map { units.speed($0) } }
        func height(_ value: Double) -> String? { highest.map { _ in units.length(value) } }
        let rows: [(String, String?)] = [
            ("duration", duration.map(Self.clock)), ("moving", Self.clock(movingTime)),
            ("at rest", duration.map { _ in Self.clock(restTime) + stopsText }),
            ("distance", units.distance(distance)),
            ("average speed", speed(averageSpeed)), ("maximum speed", speed(maximumSpeed)),
            ("lowest", lowest.map { units.length($0) }),
            ("highest", highest.map { units.length($0) }),
            ("climb", height(climb)), ("descent", height(descent)),
        ]
        return rows.compactMap { name, value in value.map { Row(name: name, value: $0) } }
    }

    /// The number of stops as text; empty if there were none.
    private var stopsText: String {
        stops > 0 ? ", \(Plural.text(stops, "stop"))" : ""
    }

    /// Formats a duration in seconds as hours, minutes and seconds: `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        Elapsed.hours(Int(nearest: seconds))
    }
}

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
        /// Whether the altitude is above the ellipsoid instead of mean sea level.
        let isEllipsoidal: Bool
    }

    private var points: [Point] = []

    /// Creates an empty trend.
    package init() {}

    /// Adds the altitude of a fix. The trend starts again if the fix has no position, altitude or
    /// time, or if its altitude is above another surface than the last one.
    package mutating func add(_ fix: Fix) {
        let nanoseconds = fix.time?.unixNanoseconds ?? fix.timeOfDay?.nanoseconds
        guard fix.coordinate != nil, let nanoseconds,
            let altitude = fix.altitude ?? fix.ellipsoidalAltitude, altitude.isFinite
        else { return points.removeAll(keepingCapacity: true) }
        let point = Point(
            seconds: Double(nanoseconds) / 1e9, altitude: altitude,
            isEllipsoidal: fix.altitude == nil)
        if let last = points.last {
            let step = point.seconds - last.seconds
            if 0..<Self.step ~= step { return }
            if !(0...Self.gap ~= step) || point.isEllipsoidal != last.isEllipsoidal {
                points.removeAll(keepingCapacity: true)
            }
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

/// Computes the total ascent and descent of a track. Changes of height that may be noise are not
/// counted.
///
/// While the receiver is at rest, altitudes are averaged. In motion, they are smoothed over half a
/// minute, but the smoothed height stays within twice the vertical accuracy of the received value.
/// A rise ends when the height has fallen by a tolerance, and a fall ends when it has risen by the
/// tolerance. The tolerance is five times the vertical accuracy, but at least 10 m.
private struct HeightProfile: Sendable {
    /// The minimum tolerance in metres: a smaller change of height never ends a rise or a fall. It
    /// is used even if the receiver reports a better accuracy.
    private static let minimumTolerance = 10.0
    /// The assumed vertical accuracy if the accuracy is unknown, in metres.
    private static let assumedAccuracy = 2.0
    /// The smoothing time of altitudes in motion, in seconds.
    private static let smoothing = 30.0
    /// The averaging time of altitudes at rest, in seconds.
    private static let averaging = 100.0

    private enum Direction { case unknown, up, down }

    private var direction = Direction.unknown
    /// The height in metres at the start of the current rise or fall. Before a segment's first rise
    /// or fall, the lowest height so far.
    private var start = Double.infinity
    /// The highest height of the current rise, or the lowest height of the current fall, in metres.
    /// Before a segment's first rise or fall, the highest height so far.
    private var end = -Double.infinity
    private var rises = 0.0
    private var falls = 0.0
    /// The smoothed height in metres; `nil` at rest.
    private var height: Double?
    /// The mean height at rest, in metres; `nil` in motion.
    private var rest: Double?

    /// The last received height in motion, or the mean height at rest, in metres. In motion,
    /// `height` lags behind the received heights.
    private var latest: Double?

    /// The total ascent in metres.
    var climb: Double { rises + (direction == .up ? max(end, latest ?? end) - start : 0) }
    /// The total descent in metres.
    var descent: Double { falls + (direction == .down ? start - min(end, latest ?? end) : 0) }

    /// Adds a height with its 68 % accuracy, both in metres. `step` is the time since the previous
    /// height in seconds; `nil` if unknown.
    mutating func add(
        _ received: Double, accuracy: Double?, isMoving: Bool, after step: Double?
    ) {
        guard isMoving else {
            height = nil
            let weight = step.map { $0 / ($0 + Self.averaging) } ?? 0
            rest = rest.map { $0 + (received - $0) * weight } ?? received
            latest = rest
            return
        }
        let accuracy = accuracy ?? Self.assumedAccuracy
        let tolerance = max(Self.minimumTolerance, 5 * accuracy)
        if let restHeight = rest {
            add(restHeight, tolerance)
            (height, rest) = (restHeight, nil)
        }
        let old = height ?? received
        let weight = step.map { $0 / ($0 + Self.smoothing) } ?? 1
        let smooth = min(
            max(old + (received - old) * weight, received - 2 * accuracy), received + 2 * accuracy)
        (height, latest) = (smooth, received)
        add(smooth, tolerance)
    }

    private mutating func add(_ height: Double, _ tolerance: Double) {
        switch direction {
        case .unknown:
            (start, end) = (min(start, height), max(end, height))
            if height - start >= tolerance {
                (direction, end) = (.up, height)
            } else if end - height >= tolerance {
                (direction, start, end) = (.down, end, height)
            }
        case .up:
            if height > end { end = height }
            if end - height >= tolerance {
                rises += end - start
                (direction, start, end) = (.down, end, height)
            }
        case .down:
            if height < end { end = height }
            if height - end >= tolerance {
                falls += start - end
                (direction, start, end) = (.up, end, height)
            }
        }
    }

    /// Ends a segment of the track. The difference between the last height and the next one is not
    /// counted.
    mutating func endSegment() {
        (rises, falls) = (climb, descent)
        (direction, start, end) = (.unknown, .infinity, -.infinity)
        (height, rest, latest) = (nil, nil, nil)
    }
}

/// The time ranges that earlier recordings cover. With them, a fix that is in several recordings is
/// counted only once.
private struct RecordedTimes: Sendable {
    /// The maximum number of ranges. When there are more, those with the smallest gaps between them
    /// are joined. The ranges take at most half a megabyte.
    private static let limit = 16_384

    /// The longest interval between consecutive fixes of one range, in nanoseconds.
    private let gap: Int64
    /// The time ranges of earlier recordings in nanoseconds, sorted and disjoint.
    private var before: [ClosedRange<Int64>] = []
    /// The time ranges of the current recording in nanoseconds, in the order of the recording.
    private var present: [ClosedRange<Int64>] = []

    /// Creates an empty list. A range ends after `gap` seconds without a fix.
    init(gap: Double) {
        self.gap = Int64(nanosecondsIn: max(0, min(gap, 1e9)))
    }

    /// Begins the next recording. The ranges of the current recording become ranges of earlier
    /// recordings.
    mutating func beginRecording() {
        guard !present.isEmpty else { return }
        before = Self.merged(before + present, limit: Self.limit)
        present = []
    }

    /// Adds the time of a fix, in nanoseconds. Returns `false` if an earlier recording covers this
    /// time.
    mutating func isNew(_ time: Int64) -> Bool {
        if let last = present.last, time >= last.upperBound, time &- last.upperBound <= gap {
            present[present.count - 1] = last.lowerBound...time
        } else {
            present.append(time...time)
            if present.count > Self.limit {
                present = Self.merged(present, limit: Self.limit / 2)
            }
        }
        guard !before.isEmpty else { return true }
        // The first range that ends at this time or later.
        let index = before.sortedPrefixCount { $0.upperBound < time }
        return index == before.count || before[index].lowerBound > time
    }

    /// Returns at most `limit` ranges, sorted and disjoint, that cover all given ones.
    private static func merged(
        _ ranges: [ClosedRange<Int64>], limit: Int
    ) -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged.count > limit ? joined(merged, to: limit) : merged
    }

    /// Joins sorted and disjoint ranges across the smallest gaps until `limit` of them remain.
    private static func joined(
        _ ranges: [ClosedRange<Int64>], to limit: Int
    ) -> [ClosedRange<Int64>] {
        /// Returns the nanoseconds between a range and the one before it.
        func gap(before index: Int) -> UInt64 {
            UInt64(bitPattern: ranges[index].lowerBound &- ranges[index - 1].upperBound)
        }
        let smallest = (1..<ranges.count).sorted { gap(before: $0) < gap(before: $1) }
            .prefix(ranges.count - limit)
        let isJoined = Set(smallest)
        var joined: [ClosedRange<Int64>] = []
        for (index, range) in ranges.enumerated() {
            if let last = joined.last, isJoined.contains(index) {
                joined[joined.count - 1] = last.lowerBound...range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
