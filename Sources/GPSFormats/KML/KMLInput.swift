// SPDX-License-Identifier: MIT
import GNSS

/// Reads the positions of KML 2.2: those of `gx:Track`, of placemarks with a point, and of lines.
///
/// An altitude is used if `altitudeMode` is `absolute`. A line that begins at the first of the
/// preceding points is skipped, because some programs write the same track as points and as a line.
package struct KMLInput: XMLFormat {
    /// The maximum number of times in a `gx:Track` before their positions. Some programs write all
    /// times first.
    private static let maximumTimes = 1_000_000

    package let name = "KML"
    private var isSimulated = false
    private var isAbsolute = false
    private var placemarkTime: UTCTime?
    private var point: Fix?
    /// The first point since the last line or the start of the last folder.
    private var firstPoint: Coordinate?
    private var line = Line.none

    private enum Line {
        case none
        case beginning
        case read
        case leftOut
    }
    private var isPoint = false
    private var isPolygon = false
    private var isInMultiTrack = false
    private var isInTrack = false
    /// The times of the current track. KML lists them before the positions.
    private var times: [UTCTime?] = []
    /// The number of these times whose position was read.
    private var positioned = 0

    package init() {}

    package mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "Placemark":
            (isSimulated, placemarkTime, point) = (false, nil, nil)
        case "Folder":
            // Points before a folder are not those of a line in it, such as a route.
            firstPoint = nil
        case "MultiTrack":
            isInMultiTrack = true
            events.append(.segment)
        case "LineString":
            isAbsolute = false
            line = .beginning
            events.append(.segment)
        case "Point":
            isAbsolute = false
            isPoint = true
        case "Polygon": isPolygon = true
        case "Track":
            isAbsolute = false
            isInTrack = true
            (times, positioned) = ([], 0)
            if !isInMultiTrack { events.append(.segment) }
        default: break
        }
    }

    package func streamsText(of name: String) -> Bool { name == "coordinates" }

    package mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        guard !isPolygon else { return }
        let fix = try fix(token.split(separator: ",", omittingEmptySubsequences: false))
        guard !isPoint else { return point = fix }
        if case .beginning = line {
            line = fix.coordinate == firstPoint ? .leftOut : .read
            firstPoint = nil
        }
        if case .read = line { events.append(.fix(fix)) }
    }

    package mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "description": isSimulated = text == "origin: simulated"
        case "altitudeMode": isAbsolute = text == "absolute"
        case "when":
            guard isInTrack else {
                placemarkTime = try time(text)
                break
            }
            if positioned == times.count { (times, positioned) = ([], 0) }
            guard times.count < Self.maximumTimes else {
                throw XMLReason("a gx:Track has more than \(Self.maximumTimes) times")
            }
            times.append(text.isEmpty ? nil : try time(text))
        case "coord":
            guard isInTrack, !text.isEmpty else { break }
            var fix = try fix(text.split(separator: " "))
            if positioned < times.count {
                if let time = times[positioned] { fix.set(time: time) }
                positioned += 1
            }
            events.append(.fix(fix))
        case "Track":
            isInTrack = false
            (times, positioned) = ([], 0)
        case "MultiTrack": isInMultiTrack = false
        case "LineString": line = .none
        case "Point": isPoint = false
        case "Polygon": isPolygon = false
        case "Placemark":
            guard var fix = point else { break }
            if let placemarkTime { fix.set(time: placemarkTime) }
            firstPoint = firstPoint ?? fix.coordinate
            events.append(.fix(fix))
            point = nil
        default: break
        }
    }

    /// Returns the fix for a longitude, a latitude and, if present, an altitude. Throws the reason
    /// if the position is not valid.
    private func fix(_ parts: [Substring]) throws(XMLReason) -> Fix {
        guard parts.count >= 2, let longitude = Double(parts[0]), let latitude = Double(parts[1]),
            let coordinate = Coordinate(checking: latitude, longitude)
        else {
            let text = parts.joined(separator: ",")
            throw XMLReason("not a position: \"\(text.prefix(40))\"")
        }
        var fix = Fix()
        fix.coordinate = coordinate
        if isAbsolute, parts.count > 2 { fix.altitude = try number(String(parts[2]), "altitude") }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return fix
    }
}
