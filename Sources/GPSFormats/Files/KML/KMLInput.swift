// SPDX-License-Identifier: MIT
import GNSS

/// Reads the positions of KML 2.2: the positions of `gx:Track`, of placemarks with a point, and of
/// lines.
///
/// An altitude is used if `altitudeMode` is `absolute`, also if this element follows the positions
/// of a point, or of a line or track of up to 100,000 positions. A `gx:Track` without this element
/// has the mode of its `gx:MultiTrack`. The tracks of a `gx:MultiTrack` are one segment if it
/// interpolates between them.
///
/// Some programs write the same track in several ways. Therefore, a line of another program is
/// skipped if it begins with the first two of the preceding points, with the first two positions of
/// a `gx:Track`, or with any two points that have a time. The points that gpsbabel writes for a
/// `gx:Track` are skipped, too.
///
/// Waypoints and routes are recognised by the data `kind`, which gpsbridge writes, and waypoints
/// also by gpsbabel's style. If waypoints are kept, two kinds of other programs' points are
/// waypoints, too: points without a time, such as the placemarks of Google Earth, and points with a
/// span of time, such as the visits of Google's timeline. The beginning of the span is the time of
/// the point.
package struct KMLInput: XMLFormat {
    /// The names of a folder or a placemark, and the kind of its positions.
    private struct Feature {
        var name: String?
        var description: String?
        /// `waypoint` or `route`, as `KMLFormat` writes it; `nil` if it is not known.
        var kind: String?
        /// Whether a point is a position of a track according to gpsbridge's description or
        /// gpsbabel's style.
        var isOfTrack = false

        /// Sets the name unless it is already set, because later elements may contain the name of
        /// the author.
        mutating func set(name: String) {
            if self.name == nil, !name.isEmpty { self.name = name }
        }
    }

    package let name = "KML"
    package var unusableContent: String? { places.unusableContent }
    package var warning: String? {
        altitudes.areLost
            ? "has an altitudeMode after more than 100,000 positions, whose altitudes are not read"
            : nil
    }
    private var places: ReadPlaces
    private var folder = Feature()
    /// The current placemark; `nil` between placemarks.
    private var placemark: Feature?
    /// The route in the current folder; `nil` if the folder contains none.
    private var route: Route?
    /// The name of the current element `Data`.
    private var dataName: String?
    private var isSimulated = false
    private var altitudes = KMLAltitudes()
    /// The altitude of the current point, until its altitude mode is known.
    private var pointAltitude: Double?
    private var placemarkTime: UTCTime?
    /// Whether `placemarkTime` is the beginning of a span.
    private var isSpan = false
    private var point: Fix?
    /// The first two points since the last line or the start of the last folder.
    private var firstPoints: [Coordinate] = []
    /// Whether the points since the first one of `firstPoints` repeat the points of a `gx:Track`.
    private var repeatsTrack = false
    private var line = Line.none

    private enum Line {
        case none
        case beginning
        /// The line begins at the first of the preceding points, at the start of a `gx:Track`, or
        /// at a point with a time. Its next position determines whether the line is a repetition.
        case atFirstPoint(Fix)
        case read
        case leftOut
    }
    private var isPoint = false
    private var isPolygon = false
    /// Whether the current element is in a view (`LookAt` or `Camera`) or a `Model`. Its time and
    /// altitude mode are not those of a position.
    private var isInView = false
    /// The properties of the current `gx:MultiTrack`, which precede its tracks.
    private struct MultiTrack {
        /// Whether the altitude mode of tracks without one of their own is `absolute`; `nil` if it
        /// is not known.
        var isAbsolute: Bool?
        /// Whether the tracks are parts of one segment.
        var isInterpolated = false
    }
    private var multiTrack: MultiTrack?
    /// The times of the current `gx:Track`; `nil` between tracks.
    private var track: KMLTrackTimes?
    /// The maximum number of points with a time whose positions are kept.
    private static let maximumTimedPositions = 100_000
    /// The time of the first and the position of the second point of a `gx:Track`, by which
    /// other forms of the same track are recognised.
    private struct TrackStart {
        var time: UTCTime?
        var second: Coordinate?
    }
    /// The maximum number of keys in `trackStarts`, and of starts for each key.
    private static let maximumTrackStarts = (1000, 16)
    /// The first two positions of the current track.
    private var trackStart: [Fix] = []
    /// The starts of the tracks so far, by their first positions.
    private var trackStarts: [Coordinate: [TrackStart]] = [:]
    /// The positions of points with a time. Flightradar24 writes a line from each to the next one.
    private var timedPositions: Set<Coordinate> = []

    /// Creates a reader. If `keepsWaypoints` is `true`, it passes on waypoints and routes as
    /// separate events.
    package init(keepsWaypoints: Bool) {
        places = ReadPlaces(isKept: keepsWaypoints)
    }

    package mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "Placemark":
            (isSimulated, placemarkTime, point, isSpan) = (false, nil, nil, false)
            placemark = Feature()
        case "Folder":
            // Points before a folder are not those of a line in it.
            firstPoints = []
            (folder, route) = (Feature(), nil)
        case "Data": dataName = attributes["name"]
        case "MultiTrack":
            multiTrack = MultiTrack()
            events.append(.segment)
        case "LineString":
            altitudes.begin(isAbsolute: nil)
            line = .beginning
            events.append(.segment)
        case "Point":
            altitudes.begin(isAbsolute: nil)
            (isPoint, pointAltitude) = (true, nil)
        case "Polygon": isPolygon = true
        case "LookAt", "Camera", "Model": isInView = true
        case "Track":
            altitudes.begin(isAbsolute: multiTrack?.isAbsolute)
            (track, trackStart) = (KMLTrackTimes(), [])
            if multiTrack?.isInterpolated != true { events.append(.segment) }
        default: break
        }
    }

    package func streamsText(of name: String) -> Bool { name == "coordinates" }

    package mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        guard !isPolygon else { return }
        let fix = try fix(token.split(separator: ",", omittingEmptySubsequences: false))
        if isPoint {
            // A placemark may contain several points.
            try endPoint(&events)
            point = fix
            guard altitudes.isAbsolute == nil else { return }
            pointAltitude = fix.altitude
            point?.removeAltitude()
            return
        }
        addToLine(fix, &events)
    }

    /// Adds a position to the line, unless the line is left out because it is a route, or repeats
    /// the points before it.
    private mutating func addToLine(_ fix: Fix, _ events: inout [InputEvent]) {
        switch line {
        case .none, .leftOut: return
        case .read: appendToLine(fix, &events)
        case .beginning:
            // gpsbridge writes each position once.
            if !isOurs, mayRepeat(fix) { return line = .atFirstPoint(fix) }
            firstPoints = []
            line = route == nil ? .read : .leftOut
            if route == nil { appendToLine(fix, &events) }
        case .atFirstPoint(let first):
            let isRepeated = isRepetition(first, fix)
            firstPoints = []
            guard route == nil, !isRepeated else { return line = .leftOut }
            line = .read
            appendToLine(first, &events)
            appendToLine(fix, &events)
        }
    }

    /// Returns whether a point with a time has this position.
    private func isTimed(_ fix: Fix) -> Bool {
        fix.coordinate.map { timedPositions.contains($0) } ?? false
    }

    /// Returns whether a line with this first position may repeat points or a track that were
    /// already read.
    private func mayRepeat(_ fix: Fix) -> Bool {
        guard let position = fix.coordinate else { return false }
        return isTimed(fix) || trackStarts[position] != nil
            || firstPoints.count == 2 && firstPoints.first == position
    }

    /// Returns whether a line with these first two positions repeats points or a track that were
    /// already read.
    private func isRepetition(_ first: Fix, _ second: Fix) -> Bool {
        if isTimed(first), isTimed(second) { return true }
        guard let start = first.coordinate, let next = second.coordinate else { return false }
        let isOfTrack = trackStarts[start]?.contains { $0.second == next } ?? false
        return isOfTrack || firstPoints == [start, next]
    }

    /// Ends the current track: passes on its last position if that waits for a time, and stores the
    /// start of the track.
    private mutating func endTrack(_ events: inout [InputEvent]) {
        if let fix = track?.end() { appendToTrack(fix, &events) }
        track = nil
        guard let first = trackStart.first, let position = first.coordinate else { return }
        let second = trackStart.count > 1 ? trackStart[1].coordinate : nil
        let count = trackStarts[position]?.count ?? 0
        guard count > 0 || trackStarts.count < Self.maximumTrackStarts.0,
            count < Self.maximumTrackStarts.1
        else { return }
        trackStarts[position, default: []].append(TrackStart(time: first.time, second: second))
    }

    /// Passes on a position of a line or a `gx:Track` when its altitude mode is known.
    private mutating func appendToLine(_ fix: Fix, _ events: inout [InputEvent]) {
        places.hasTrack = true
        altitudes.append(fix, &events)
    }

    package mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "name", "description", "styleUrl", "value": describe(name, text)
        case "altitudeMode" where !isInView:
            let isAbsolute = text == "absolute"
            if track == nil { multiTrack?.isAbsolute = isAbsolute }
            altitudes.set(isAbsolute: isAbsolute, &events)
            if isPoint, isAbsolute, let pointAltitude { point?.set(altitude: pointAltitude) }
        case "interpolate": multiTrack?.isInterpolated = ["1", "true"].contains(text)
        case "when" where track != nil:
            let time = try instant(text)
            if let fix = try track?.add(time) { appendToTrack(fix, &events) }
        case "when" where !isInView: (placemarkTime, isSpan) = try (instant(text), false)
        case "begin":
            // A TimeStamp is more exact. Folders and views may also have a span.
            guard placemark != nil, !isInView, placemarkTime == nil else { break }
            placemarkTime = try instant(text)
            isSpan = true
        case "coord":
            guard track != nil else { break }
            // An empty element has a time, but no position.
            let position = try text.isEmpty ? nil : fix(text.split(whereSeparator: \.isWhitespace))
            if let fix = track?.add(position) { appendToTrack(fix, &events) }
        case "Track":
            endTrack(&events)
            altitudes.end(&events)
        case "MultiTrack": multiTrack = nil
        case "LineString":
            line = .none
            altitudes.end(&events)
        case "Point": isPoint = false
        case "Polygon": isPolygon = false
        case "LookAt", "Camera", "Model": isInView = false
        case "Placemark":
            try endPoint(&events)
            placemark = nil
        case "Folder": endRoute(&events)
        default: break
        }
    }

    /// Reads an element that describes a placemark or a folder.
    private mutating func describe(_ name: String, _ text: String) {
        switch name {
        case "name":
            if placemark == nil { folder.set(name: text) } else { placemark?.set(name: text) }
        case "description":
            isSimulated = text == "origin: simulated"
            if placemark == nil { folder.description = text } else { placemark?.description = text }
            if text.hasPrefix("origin: ") { placemark?.isOfTrack = true }
        case "styleUrl":
            if text == "#waypoint" { placemark?.kind = "waypoint" }
            if ["#track", "#route"].contains(where: text.hasPrefix) { placemark?.isOfTrack = true }
        case "value" where dataName == "kind":
            if placemark != nil {
                placemark?.kind = text
            } else if text == "route" {
                var route = Route()
                (route.name, route.description) = (folder.name, folder.description)
                self.route = route
            }
        default: break
        }
    }

    private mutating func appendToTrack(_ fix: Fix, _ events: inout [InputEvent]) {
        if trackStart.count < 2 { trackStart.append(fix) }
        appendToLine(fix, &events)
    }

    /// Passes on the last point of the placemark: a waypoint, a point of a route, or a fix.
    private mutating func endPoint(_ events: inout [InputEvent]) throws(XMLReason) {
        defer { point = nil }
        guard var fix = point, let position = fix.coordinate else { return }
        if let placemarkTime { fix.set(time: placemarkTime) }
        guard route != nil || isWaypoint else {
            if firstPoints.isEmpty { repeatsTrack = isStart(fix) }
            if firstPoints.count < 2 { firstPoints.append(position) }
            if placemarkTime != nil, !isSpan, timedPositions.count < Self.maximumTimedPositions {
                timedPositions.insert(position)
            }
            if repeatsTrack, isOfOtherTrack { return }
            // gpsbridge writes a segment of one fix as a point.
            if isOurs { events.append(.segment) }
            places.hasTrack = true
            events.append(.fix(fix))
            if isOurs { events.append(.segment) }
            return
        }
        var waypoint = Waypoint(position)
        (waypoint.altitude, waypoint.time) = (fix.altitude, fix.time)
        (waypoint.name, waypoint.description) = (placemark?.name, placemark?.description)
        guard route != nil else { return places.add(waypoint) { events.append($0) } }
        guard route?.points.count ?? 0 < ReadPlaces.maximumRouteLength else {
            throw XMLReason("the route has more than \(ReadPlaces.maximumRouteLength) points")
        }
        route?.points.append(waypoint)
    }

    /// Returns whether a point is the first one of a track that was read as a `gx:Track`.
    private func isStart(_ fix: Fix) -> Bool {
        guard isOfOtherTrack, let position = fix.coordinate else { return false }
        return trackStarts[position]?.contains { $0.time == fix.time } ?? false
    }

    /// Whether gpsbridge wrote the placemark, for a segment of a track.
    private var isOurs: Bool { placemark?.description?.hasPrefix("origin: ") == true }

    /// Whether the point of the placemark is a position of a track according to gpsbabel's style.
    private var isOfOtherTrack: Bool { placemark?.isOfTrack == true && !isOurs }

    /// Whether the point of the placemark is a waypoint.
    private var isWaypoint: Bool {
        if placemark?.kind == "waypoint" { return true }
        return places.isKept && (placemarkTime == nil || isSpan) && placemark?.isOfTrack != true
    }

    private mutating func endRoute(_ events: inout [InputEvent]) {
        if let route { places.add(route) { events.append($0) } }
        route = nil
    }

    package mutating func finish(_ events: inout [InputEvent]) {
        // If the file is cut off, the line, the track and the route have no end tag.
        if track != nil { endTrack(&events) }
        altitudes.end(&events)
        endRoute(&events)
        places.finish { events.append($0) }
    }

    /// Parses the time of a position. Returns `nil` for a day, a month or a year without a time of
    /// day, which KML allows.
    private func instant(_ text: String) throws(XMLReason) -> UTCTime? {
        let isDate = text.utf8.count <= 10 && text.utf8.allSatisfy { 0x2D...0x39 ~= $0 }
        return isDate ? nil : try time(text)
    }

    /// Returns the fix for a longitude, a latitude and, if present, an altitude. Throws the reason
    /// if the position is not valid.
    private func fix(_ parts: [Substring]) throws(XMLReason) -> Fix {
        guard parts.count >= 2, let longitude = Double(decimal: parts[0]),
            let latitude = Double(decimal: parts[1]),
            let coordinate = Coordinate(checking: latitude, longitude)
        else {
            let text = parts.joined(separator: ",")
            throw XMLReason("not a position: \"\(text.prefix(40))\"")
        }
        var fix = Fix()
        fix.coordinate = coordinate
        if parts.count > 2, altitudes.isAbsolute != false {
            do throws(XMLReason) {
                fix.altitude = try number(String(parts[2]), "altitude")
            } catch {
                if altitudes.isAbsolute == true { throw error }
            }
        }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return fix
    }
}
