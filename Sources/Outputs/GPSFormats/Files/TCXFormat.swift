// SPDX-License-Identifier: MIT
package import GNSS

/// Writes TCX, Garmin's Training Center Database: an activity for every source.
///
/// The duration and the distance of a lap precede its positions, so the positions must be kept in
/// memory. Therefore, a lap is a segment or, if the segment is long, a part of it. The schema also
/// requires the calories of every lap. They are unknown, and written as 0.
package struct TCXFormat: OutputFormat, TextFormat {
    /// The schema requires a time for every point. A truncated file cannot be continued, because the
    /// positions of its last lap are lost.
    package static let traits = FormatTraits(
        name: "tcx", extensions: ["tcx"],
        summary: "TCX activities, for Garmin Connect, Strava and others", needsDate: true,
        storesEllipsoidalAltitude: false, isContinuable: false)

    private static let maximumPositionsPerLap = 3600
    private static let head: StaticString = """
        <?xml version="1.0" encoding="UTF-8"?>
        <TrainingCenterDatabase \
        xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>

        """

    /// A lap that has begun.
    private struct Lap {
        let start: UTCTime
        /// The distance of the activity at the beginning of the lap, in metres.
        let startDistance: Double
        var end: UTCTime
        var count = 0
    }

    var text = TextBuffer()
    /// The positions of the current lap, which are written after its duration and distance.
    private var positions = TextBuffer()
    private var lap: Lap?
    /// Whether the current activity is simulated; `nil` between activities.
    private var isSimulated: Bool?
    private var isEmpty = true
    /// For each identifier so far, the next one to try, in milliseconds of Unix time.
    private var nextIDs: [Int: Int] = [:]
    /// Whether the current activity has no position yet. The first one contains the track's name,
    /// because TCX has notes only after the positions.
    private var isUnnamed = false
    private var source = OutputSource()
    private var odometer = Odometer()
    /// The distance of the activity in metres.
    private var distance = 0.0

    package init(_ metadata: OutputMetadata) {}

    /// Sets the source. The next fix begins an activity.
    package mutating func begin(_ source: OutputSource) {
        endActivity()
        self.source = source
        guard isEmpty else { return }
        text.append(Self.head)
        isEmpty = false
    }

    /// Ends the lap. The next fix begins another one.
    package mutating func beginSegment() {
        endLap()
        odometer.endSegment()
    }

    /// Writes a position. Fixes without a date are omitted.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid, let time = fix.time else { return }
        let isSimulated = source.isSimulated(fix)
        if self.isSimulated != isSimulated {
            endActivity()
            beginActivity(isSimulated, time)
        }
        odometer.add(fix)
        // When the receiver comes to rest, the odometer may subtract the last metres.
        distance = max(distance, odometer.distance)
        if lap.map({ $0.count == Self.maximumPositionsPerLap }) ?? false { endLap() }
        var lap = lap ?? Lap(start: time, startDistance: distance, end: time)
        (lap.end, lap.count) = (time, lap.count + 1)
        self.lap = lap
        append(fix, position, time)
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate, _ time: UTCTime) {
        positions.append(
            "<Trackpoint><Time>", dateTime: time, "</Time><Position><LatitudeDegrees>")
        positions.append(degrees: position.latitude)
        positions.append("</LatitudeDegrees><LongitudeDegrees>")
        positions.append(degrees: position.longitude.below180)
        positions.append("</LongitudeDegrees></Position>")
        positions.append("<AltitudeMeters>", fix.altitude, decimals: 3, "</AltitudeMeters>")
        positions.append("<DistanceMeters>", distance, decimals: 3, "</DistanceMeters>")
        if fix.speed != nil || isSimulated == true || isUnnamed { appendExtensions(fix) }
        positions.append("</Trackpoint>\n")
    }

    private mutating func appendExtensions(_ fix: Fix) {
        positions.append("<Extensions>")
        if fix.speed != nil {
            positions.append(
                #"<TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2">"#)
            positions.append("<Speed>", fix.speed, decimals: 3, "</Speed>")
            positions.append("</TPX>")
        }
        if isSimulated == true {
            positions.append(#"<origin xmlns="urn:gpsbridge">simulated</origin>"#)
        }
        if isUnnamed {
            positions.append(#"<name xmlns="urn:gpsbridge">"#, xml: source.trackName, "</name>")
        }
        isUnnamed = false
        positions.append("</Extensions>")
    }

    // MARK: Laps and activities

    private mutating func beginActivity(_ isSimulated: Bool, _ time: UTCTime) {
        (self.isSimulated, isUnnamed) = (isSimulated, true)
        text.append(
            #"<Activity Sport="Other"><Id>"#, dateTime: identifier(from: time), "</Id>\n")
    }

    /// Returns an identifier for an activity: the start of its first lap, or a later millisecond if
    /// another activity has that one.
    private mutating func identifier(from time: UTCTime) -> UTCTime {
        // Nanoseconds in an `Int64` end in 2262, but dates may be as late as 9999.
        let day = 86_400_000
        let own = time.date.daysSince1970 * day + Int(time.time.nanoseconds / 1_000_000)
        var id = own
        while let next = nextIDs[id] { id = next }
        (nextIDs[id], nextIDs[own]) = (id + 1, id + 1)
        guard id > own else { return time }
        return CalendarDate(daysSince1970: floorDivided(id, day)).map {
            UTCTime(date: $0, time: TimeOfDay(wrapping: Int64(id % day) * 1_000_000))
        } ?? time
    }

    /// Writes the lap. The schema requires calories, an intensity and a trigger.
    private mutating func endLap() {
        guard let lap else { return }
        self.lap = nil
        let nanoseconds = lap.end.nanoseconds(since: lap.start) ?? 0
        text.append(#"<Lap StartTime=""#, dateTime: lap.start, #""><TotalTimeSeconds>"#)
        text.append(fixed: Double(max(0, nanoseconds)) / 1e9, decimals: 3)
        text.append("</TotalTimeSeconds><DistanceMeters>")
        text.append(fixed: distance - lap.startDistance, decimals: 3)
        text.append("</DistanceMeters><Calories>0</Calories><Intensity>Active</Intensity>")
        text.append("<TriggerMethod>Manual</TriggerMethod><Track>\n")
        text.append(positions)
        positions.removeAll()
        text.append("</Track></Lap>\n")
    }

    private mutating func endActivity() {
        endLap()
        guard let isSimulated else { return }
        self.isSimulated = nil
        text.append("<Notes>")
        text.append(xml: source, isSimulated: isSimulated, ", origin: ")
        text.append("</Notes></Activity>\n")
        odometer = Odometer()
        distance = 0
    }

    // MARK: Output

    /// The rest of the lap, and the end tags of all open elements.
    package var closing: [UInt8] {
        var rest = self
        rest.text.removeAll()
        rest.endActivity()
        rest.text.append("</Activities></TrainingCenterDatabase>\n")
        return rest.text.array
    }
}

/// Reads the points of activities and courses in TCX. A point without a position, as during a
/// pause, ends the segment, and so does the end of a track if another one follows in the same lap.
package struct TCXInput: XMLFormat {
    package let formatName = "TCX"
    private var fix: Fix?
    private var latitude: Double?
    private var longitude: Double?
    private var isSimulated = false
    /// The number of laps of the current activity.
    private var lapCount = 0
    /// Whether gpsbridge wrote the current activity: its laps mean nothing.
    private var isOurs = false
    /// Whether the current element is the name that `TCXFormat` writes in the first point.
    private var isTrackName = false
    /// Whether the position of the point could not be read.
    private var isOdd = false
    /// Whether the current lap already has a track. Another track in the same lap begins a new
    /// segment, but the first track of a new lap does not.
    private var hasTrack = false
    /// Whether a course has begun, but not its name.
    private var isUnnamedCourse = false
    private var unread = UnreadValues()

    package var warning: String? { unread.warning }

    package init() {}

    package mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "Activity", "Course":
            if let sport = attributes["Sport"], sport != "Other" { unread.add("sport") }
            events.append(.track(name: nil))
            (hasTrack, isUnnamedCourse) = (false, name == "Course")
            (lapCount, isOurs) = (0, false)
        case "Lap": hasTrack = false
        case "Track":
            if hasTrack { events.append(.segment) }
            (hasTrack, isUnnamedCourse) = (true, false)
        case "Trackpoint":
            fix = Fix()
            (latitude, longitude, isSimulated, isOdd) = (nil, nil, false, false)
        case "name": isTrackName = fix != nil && attributes["xmlns"] == "urn:gpsbridge"
        default: break
        }
    }

    package mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "HeartRateBpm", "AverageHeartRateBpm": unread.add("heart rate")
        case "Cadence", "RunCadence": unread.add("cadence")
        case "Watts": unread.add("power")
        case "Calories" where (Int(text) ?? 0) > 0: unread.add("calories")
        case "Lap":
            if lapCount > 0, !isOurs { unread.add("laps") }
            lapCount += 1
        case "name" where isTrackName:
            (isTrackName, isOurs) = (false, true)
            if !text.isEmpty { events.append(.track(name: text)) }
        case "Name" where isUnnamedCourse:
            isUnnamedCourse = false
            if !text.isEmpty { events.append(.track(name: text)) }
        default: break
        }
        guard var fix else { return }
        switch name {
        case "Time": if let instant = try time(text) { fix.set(time: instant) }
        case "LatitudeDegrees": latitude = try degrees(text, "latitude")
        case "LongitudeDegrees": longitude = try degrees(text, "longitude")
        case "AltitudeMeters": fix.altitude = try number(text, "altitude")
        case "Speed": fix.speed = try number(text, "speed")
        // `TCXFormat` writes this for simulated data.
        case "origin": isSimulated = text == "simulated"
        case "Trackpoint": return try endPoint(fix, &events)
        default: return
        }
        self.fix = fix
    }

    private mutating func degrees(_ text: String, _ noun: String) throws(XMLReason) -> Double? {
        do throws(XMLReason) {
            return try number(text, noun)
        } catch {
            if isOdd { return nil }
            isOdd = true
            throw XMLReason(error.text, leavingOut: .position, text)
        }
    }

    private mutating func endPoint(
        _ point: Fix, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        fix = nil
        guard !isOdd else { return }
        guard let latitude, let longitude else { return events.append(.segment) }
        var fix = point
        fix.coordinate = Coordinate(checking: latitude, longitude)
        guard fix.coordinate != nil else {
            throw XMLReason(
                "not a position: \(latitude), \(longitude)", leavingOut: .position,
                "\(latitude), \(longitude)")
        }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        events.append(.fix(fix))
    }
}
