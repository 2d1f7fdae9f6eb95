// SPDX-License-Identifier: MIT

/// Distance, times, speeds and heights of a track, fix by fix; memory does not grow.
package struct TrackSummary: Sendable {
    /// Fixes with a position that were added.
    package private(set) var fixCount = 0
    /// Fixes that were left out, because an earlier recording has their times.
    package private(set) var repeatedCount = 0
    /// The earliest and the latest time; `nil` if no date was given.
    package private(set) var start: UTCTime?
    /// The latest time.
    package private(set) var end: UTCTime?
    /// Metres above mean sea level.
    package private(set) var lowest: Double?
    /// Metres above mean sea level.
    package private(set) var highest: Double?

    private var odometer: Odometer
    private var heights = HeightProfile()
    private var recorded: RecordedTimes

    /// Creates an empty summary; after more than `gap` seconds without a fix a segment begins.
    package init(gap: Double = 60) {
        odometer = Odometer(gap: gap)
        recorded = RecordedTimes(gap: gap)
    }

    /// Metres over ground, not counting gaps.
    package var distance: Double { odometer.distance }
    /// Seconds in which it moved.
    package var movingTime: Double { odometer.movingTime }
    /// Metres upwards, without noise.
    package var climb: Double { heights.climb }
    /// Metres downwards, without noise.
    package var descent: Double { heights.descent }

    /// Seconds from the earliest time to the latest one.
    package var duration: Double? {
        guard let start, let end else { return nil }
        return Double(end.unixNanoseconds) / 1e9 - Double(start.unixNanoseconds) / 1e9
    }

    /// Metres a second while it moved.
    package var averageSpeed: Double? { odometer.averageSpeed }

    /// Metres a second, the average at least.
    package var maximumSpeed: Double? { odometer.maximumSpeed }

    /// Ends a segment: the distance to the next fix is not counted.
    package mutating func endSegment() {
        odometer.endSegment()
        heights.endSegment()
    }

    /// Begins another recording, which may be earlier than the last one. Times in both count once.
    package mutating func beginRecording() {
        endSegment()
        recorded.beginRecording()
    }

    /// Adds the next fix; one without a position ends the segment.
    package mutating func add(_ fix: Fix) {
        guard fix.coordinate != nil else { return endSegment() }
        if let time = fix.time {
            guard recorded.isNew(time.unixNanoseconds) else {
                repeatedCount += 1
                return endSegment()
            }
            if start.map({ time.unixNanoseconds < $0.unixNanoseconds }) ?? true { start = time }
            if end.map({ time.unixNanoseconds > $0.unixNanoseconds }) ?? true { end = time }
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

    /// The accuracy from the VDOP, as for a receiver that sends only its DOPs: GPX has no accuracy.
    private static func assumedAccuracy(_ fix: Fix) -> Double? {
        guard let vdop = fix.dilution.vdop else { return nil }
        return RangeError().assumed(for: fix.quality).map { vdop * $0 }
    }
}

extension TrackSummary {
    /// A named value, as shown by `convert --summary`, plots and the screen.
    package struct Row: Sendable {
        package let name: String
        package let value: String
    }

    /// Distance, times, speeds and heights; unknown values are omitted.
    package func rows(_ units: Units) -> [Row] {
        func speed(_ value: Double?) -> String? { value.map { units.speed($0) } }
        func height(_ value: Double) -> String? { highest.map { _ in units.length(value) } }
        let rows: [(String, String?)] = [
            ("duration", duration.map(Self.clock)), ("moving", Self.clock(movingTime)),
            (
                "distance",
                "\(String(distance / units.distance.metres, decimals: 3)) \(units.distance.sign)"
            ),
            ("average speed", speed(averageSpeed)), ("maximum speed", speed(maximumSpeed)),
            ("lowest", lowest.map { units.length($0) }),
            ("highest", highest.map { units.length($0) }),
            ("climb", height(climb)), ("descent", height(descent)),
        ]
        return rows.compactMap { name, value in value.map { Row(name: name, value: $0) } }
    }

    /// Hours, minutes and seconds.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(nearest: seconds)
        return "\(whole / 3600)\(TimeOfDay(secondsOfDay: whole).clock.dropFirst(2))"
    }
}
