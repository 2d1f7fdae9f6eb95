// SPDX-License-Identifier: MIT
import GNSS

/// Reads GPX 1.0 and 1.1: the points of tracks, or, if there are none, those of routes.
///
/// Speed and course are read from GPX 1.0, or from any extension with these names, such as Garmin's
/// `TrackPointExtension`.
package struct GPXInput: XMLFormat {
    /// The maximum number of route points kept. Routes precede tracks, and are used only without a track.
    private static let mostRoutePoints = 100_000

    package let name = "GPX"
    package var lack: String? { hasWaypoint ? "waypoints, but no track and no route" : nil }
    private var fix: Fix?
    private var mode: FixMode?
    private var quality: FixQuality?
    private var isTrackPoint = false
    private var hasTrack = false
    private var hasWaypoint = false
    private var isSimulated = false
    private var route: [InputEvent] = []
    /// The lines of the points in their order, from 1; empty unless `keepsLines`.
    package private(set) var lines: [Int] = []
    private let keepsLines: Bool
    private var line = 0

    /// Creates a reader; `keepsLines` stores the line of each point.
    package init(keepsLines: Bool = false) {
        self.keepsLines = keepsLines
    }

    package mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "trk", "rte": isSimulated = false
        case "trkseg": events.append(.segment)
        case "wpt": hasWaypoint = true
        case "trkpt", "rtept":
            isTrackPoint = name == "trkpt"
            line = attributes.line
            (mode, quality) = (nil, nil)
            var fix = Fix()
            let latitude = try degrees(attributes["lat"], "latitude", 90)
            let longitude = try degrees(attributes["lon"], "longitude", 180)
            fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
            self.fix = fix
        default: break
        }
    }

    private func degrees(
        _ text: String?, _ noun: String, _ limit: Double
    ) throws(XMLReason) -> Double {
        guard let text else { throw XMLReason("the point has no \(noun)") }
        guard let degrees = Double(text), degrees.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            throw XMLReason("the \(noun) is not a number from \(range): \"\(text.prefix(40))\"")
        }
        return degrees
    }

    package mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        guard var fix else {
            // `convert` writes this to the track's description.
            if name == "desc", text == "origin: simulated" { isSimulated = true }
            return
        }
        switch name {
        // Elements of an extension with the same name come later.
        case "ele" where fix.altitude == nil: fix.altitude = try number(text, "elevation")
        case "time" where fix.time == nil: fix.set(time: try time(text))
        case "magvar":
            let east = try number(text, "magnetic variation")
            fix.magneticVariation = east > 180 ? east - 360 : east
        case "geoidheight": fix.geoidSeparation = try number(text, "geoid height")
        case "fix": read(fixType: text)
        case "sat": fix.satellitesUsed = Int(exactly: try number(text, "number of satellites"))
        case "hdop": fix.dilution.hdop = try number(text, "HDOP")
        case "vdop": fix.dilution.vdop = try number(text, "VDOP")
        case "pdop": fix.dilution.pdop = try number(text, "PDOP")
        case "ageofdgpsdata": fix.correctionAge = try number(text, "age of corrections")
        case "dgpsid": fix.correctionStation = Int(exactly: try number(text, "station"))
        case "speed": fix.speed = try number(text, "speed")
        case "course": fix.course = try number(text, "course")
        case "trkpt", "rtept": return endPoint(&events)
        default: return
        }
        self.fix = fix
    }

    private mutating func read(fixType: String) {
        switch fixType {
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
            if !hasTrack { (route, lines) = ([], []) }
            hasTrack = true
            events.append(.fix(fix))
        } else if !hasTrack, route.count < Self.mostRoutePoints {
            route.append(.fix(fix))
        } else {
            return
        }
        if keepsLines { lines.append(line) }
    }

    package mutating func finish(_ events: inout [InputEvent]) {
        events += route
        route = []
    }
}
