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
    /// The time at rest in seconds. Gaps between segments are not counted.
    package var restTime: Double { odometer.restTime }
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
