// SPDX-License-Identifier: MIT
import GNSS

/// Reads the points of activities and courses in TCX. A point without a position, as during a
/// pause, ends the segment, and so does the end of a track if another one follows in the same lap.
package struct TCXInput: XMLFormat {
    package let name = "TCX"
    private var fix: Fix?
    private var latitude: Double?
    private var longitude: Double?
    private var isSimulated = false
    private var lapCount = 0
    /// Whether the position of the point could not be read.
    private var isOdd = false
    /// Whether the current lap already has a track. Another track in the same lap begins a new
    /// segment, but the first track of a new lap does not.
    private var hasTrack = false
    private var unread = UnreadValues()

    package var warning: String? { unread.warning }

    package init() {}

    package mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "Activity", "Course":
            if let sport = attributes["Sport"], sport != "Other" { unread.add("sport") }
            events.append(.segment)
            hasTrack = false
        case "Lap": hasTrack = false
        case "Track":
            if hasTrack { events.append(.segment) }
            hasTrack = true
        case "Trackpoint":
            fix = Fix()
            (latitude, longitude, isSimulated, isOdd) = (nil, nil, false, false)
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
        case "Lap" where lapCount > 0: unread.add("laps")
        case "Lap": lapCount += 1
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
