// SPDX-License-Identifier: MIT
package import GNSS

/// Reads the track points of GPX 1.0 and 1.1. If the file contains no track, reads the points of
/// routes instead.
///
/// Speed and course are read from any element `speed` or `course`, in GPX 1.0 or in an extension
/// such as Garmin's `TrackPointExtension`. An extension does not replace a value that precedes it.
/// Values in extensions that are not numbers are left out and counted: some programs add a unit.
package struct GPXInput: XMLFormat {
    package let formatName = "GPX"
    package let mayHavePlaces = true
    package var unusableContent: String? { places.unusableContent }
    private var fix: Fix?
    private var mode: FixMode?
    private var quality: FixQuality?
    private var isTrackPoint = false
    /// The name of the current track or route.
    private var trackName: String?
    /// Whether the current track or route has begun, but none of its points.
    private var isBeforePoints = false
    /// Whether the current element is in `extensions`, where other programs may use the names of
    /// GPX for other contents, such as a speed with a unit.
    private(set) var isInExtensions = false
    private var isSimulated = false
    /// The line number of each point, from 1; empty unless `keepsLines` is `true`.
    package private(set) var lines: [Int] = []
    private var unread = UnreadValues()
    package var warning: String? { unread.warning }
    private let keepsLines: Bool
    private var line = 0
    private var places: ReadPlaces
    /// The waypoint and the route that are being read; `nil` if they are not passed on.
    private var openPlaces: GPXPlaces?

    /// Creates a reader. If `keepsLines` is `true`, it stores the line number of each point. If
    /// `keepsWaypoints` is `true`, it passes on waypoints and routes as separate events, and the
    /// points of routes are never fixes.
    package init(keepsLines: Bool = false, keepsWaypoints: Bool = false) {
        self.keepsLines = keepsLines
        places = ReadPlaces(isKept: keepsWaypoints)
        openPlaces = keepsWaypoints ? GPXPlaces() : nil
    }

    package mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        try openPlaces?.start(name, attributes)
        switch name {
        case "trk", "rte": (isSimulated, trackName, isBeforePoints) = (false, nil, true)
        case "trkseg":
            events.append(takeTrack() ?? .segment)
        case "wpt": places.hasWaypoint = true
        case "extensions": isInExtensions = true
        case "rtept" where places.isKept: break
        case "trkpt", "rtept":
            isTrackPoint = name == "trkpt"
            if let event = takeTrack() {
                if isTrackPoint { events.append(event) } else { _ = places.hold(event) }
            }
            line = attributes.line
            (mode, quality) = (nil, nil)
            var fix = Fix()
            let isUnknown = isTrackPoint && attributes.isPositionUnknown
            if attributes.isPause { events.append(.segment) }
            fix.coordinate = try isUnknown ? nil : attributes.coordinate()
            self.fix = fix
        default: break
        }
    }

    package mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        if name == "extensions" { isInExtensions = false }
        do throws(XMLReason) {
            try endElement(name, text, &events)
        } catch {
            throw isInExtensions ? error.usual : error
        }
    }

    private mutating func endElement(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        guard var fix else {
            try endPlace(name, text, &events)
            // `GPXFormat` writes this text in the description of a track.
            if name == "desc", text == "origin: simulated" { isSimulated = true }
            if name == "name", isBeforePoints, !isInExtensions, trackName == nil, !text.isEmpty {
                trackName = text
            }
            return
        }
        switch name {
        // Use the first element, because an extension may contain another one with the same name
        // later.
        case "ele" where fix.altitude == nil: fix.altitude = try number(text, "elevation")
        case "time" where fix.time == nil:
            if let instant = try time(text) { fix.set(time: instant) }
        case "magvar" where fix.magneticVariation == nil:
            let east = try number(text, "magnetic variation")
            fix.magneticVariation = east.map { $0 > 180 ? $0 - 360 : $0 }
        case "geoidheight" where fix.geoidSeparation == nil:
            fix.geoidSeparation = try number(text, "geoid height")
        case "fix" where !isInExtensions: read(fixType: text)
        case "sat" where fix.satellitesUsed == nil:
            fix.satellitesUsed = try number(text, "number of satellites")
                .flatMap { Int(exactly: $0) }
        case "hdop" where fix.dilution.hdop == nil:
            fix.dilution.hdop = try number(text, "HDOP")
        case "vdop" where fix.dilution.vdop == nil:
            fix.dilution.vdop = try number(text, "VDOP")
        case "pdop" where fix.dilution.pdop == nil:
            fix.dilution.pdop = try number(text, "PDOP")
        case "ageofdgpsdata" where fix.correctionAge == nil:
            fix.correctionAge = try number(text, "age of corrections")
        case "dgpsid" where fix.correctionStation == nil:
            fix.correctionStation = try number(text, "station").flatMap { Int(exactly: $0) }
        case "hr": unread.add("heart rate")
        case "cad", "cadence": unread.add("cadence")
        case "power": unread.add("power")
        case "atemp", "wtemp", "temp": unread.add("temperature")
        case "speed" where fix.speed == nil: fix.speed = try motion(text, "speed")
        case "course" where fix.course == nil: fix.course = try motion(text, "course")
        case "trkpt", "rtept": return endPoint(&events)
        default: return
        }
        self.fix = fix
    }

    /// Returns the beginning of the current track or route if none of its points has been read.
    private mutating func takeTrack() -> InputEvent? {
        guard isBeforePoints else { return nil }
        isBeforePoints = false
        return .track(name: trackName?.withoutSimulated(isSimulated))
    }

    /// Parses a speed or a course. Some programs add a unit, also outside of extensions.
    private func motion(_ text: String, _ noun: String) throws(XMLReason) -> Double? {
        do throws(XMLReason) {
            return try number(text, noun)
        } catch {
            throw error.usual
        }
    }

    private mutating func endPlace(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        guard var places = openPlaces.take() else { return }
        defer { openPlaces = places }
        if let event = try places.end(name, text, self) { events.append(event) }
    }

    private mutating func read(fixType: String) {
        switch fixType {
        case "none": mode = .noFix
        case "2d": mode = .twoD
        case "3d": mode = .threeD
        case "dgps": quality = .differential
        case "pps": quality = .precise
        default: break
        }
    }

    private mutating func endPoint(_ events: inout [InputEvent]) {
        guard var fix else { return }
        self.fix = nil
        fix.complete(mode: mode, quality: isSimulated ? .simulated : quality)
        if isTrackPoint {
            if !places.hasTrack { lines = [] }
            places.hasTrack = true
            // The receiver had no fix, so the position is missing, an old one, or 0° N 0° E.
            guard mode != .noFix, fix.coordinate != nil else { return events.append(.segment) }
            events.append(.fix(fix))
        } else if !places.hold(.fix(fix)) {
            return
        }
        if keepsLines { lines.append(line) }
    }

    package mutating func finish(_ events: inout [InputEvent]) {
        // If the file is cut off, the route has no end tag.
        if let route = openPlaces?.endRoute() { events.append(route) }
        places.finish { events.append($0) }
    }
}

extension String {
    /// The name of a track without the word that our formats write before it if it is simulated.
    func withoutSimulated(_ isSimulated: Bool) -> String {
        let mark = "SIMULATED "
        return isSimulated && hasPrefix(mark) ? String(dropFirst(mark.count)) : self
    }
}

extension XMLAttributes {
    /// Returns the position of a GPX point. Throws the reason if an attribute is missing or not
    /// valid.
    package func coordinate() throws(XMLReason) -> Coordinate {
        Coordinate(
            latitude: try degrees("lat", "latitude", 90),
            longitude: try degrees("lon", "longitude", 180))
    }

    /// Whether a position is missing. Sports watches write points without one indoors, and some
    /// loggers write `nan`.
    fileprivate var isPositionUnknown: Bool {
        ["lat", "lon"].allSatisfy { key in
            guard let text = self[key], !text.isEmpty else { return true }
            return Double(decimal: text)?.isNaN == true
        }
    }

    /// Whether the point marks a pause: My Tracks writes the latitude 100 where recording stops, and
    /// 200 where it continues.
    fileprivate var isPause: Bool {
        self["lat"].flatMap { Double(decimal: $0) }.map { $0 == 100 || $0 == 200 } ?? false
    }

    private func degrees(
        _ key: String, _ noun: String, _ limit: Double
    ) throws(XMLReason) -> Double {
        guard let text = self[key] else {
            throw XMLReason("the point has no \(noun)", leavingOut: .position, "")
        }
        guard let degrees = Double(decimal: text), degrees.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            throw XMLReason(
                "the \(noun) is not a number from \(range): \"\(text.prefix(40))\"",
                leavingOut: .position, text)
        }
        return degrees
    }
}
