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
/// Some programs write the same track in several ways. `KMLCopies` leaves out the copies.
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

    package let formatName = "KML"
    package let mayHavePlaces = true
    package var unusableContent: String? { places.unusableContent }
    package var warning: String? {
        [
            altitudes.areLost
                ? "has an altitudeMode after more than 100,000 positions, whose altitudes are not read"
                : nil,
            altitudes.haveNoMode
                ? "has altitudes without an altitudeMode, which KML ignores: they are not read"
                : nil,
            unread.warning,
        ].warning
    }
    private var unread = UnreadValues()
    private var places: ReadPlaces
    private var folder = Feature()
    /// The current placemark; `nil` between placemarks.
    private var placemark: Feature?
    /// The route in the current folder; `nil` if the folder contains none.
    private var route: Route?
    /// The name of the current element `Data` or `SimpleData`.
    private var dataName: String?
    /// The height of the placemark in data of GDAL, which writes a GPX file's `ele` and `time`.
    private var dataElevation: Double?
    private var isSimulated = false
    private var altitudes = KMLAltitudes()
    /// The altitude of the current point, until its altitude mode is known.
    private var pointAltitude: Double?
    private var placemarkTime: UTCTime?
    /// Whether `placemarkTime` is the beginning of a span.
    private var isSpan = false
    /// Whether the time of the placemark could not be read.
    private var hasOddTime = false
    private var point: Fix?
    private var copies = KMLCopies()
    private var isLine = false
    /// The positions of a line whose altitude mode has become known.
    private var lineEvents: [InputEvent] = []
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
            (hasOddTime, dataElevation) = (false, nil)
            placemark = Feature()
        case "Folder":
            (folder, route) = (Feature(), nil)
        case "SimpleArrayData":
            if let name = attributes["name"], !name.isEmpty { unread.add(String(name.prefix(40))) }
        case "Data", "SimpleData": dataName = attributes["name"]
        case "MultiTrack":
            multiTrack = MultiTrack()
            beginTrack(&events)
        case "LineString":
            altitudes.begin(isAbsolute: nil)
            isLine = true
            if isOurs || copies.isExceeded { beginTrack(&events) } else { events.append(.segment) }
            if !isOurs { copies.beginLine(named: nameOfTrack) }
        case "Point":
            altitudes.begin(isAbsolute: nil)
            (isPoint, pointAltitude) = (true, nil)
        case "Polygon": isPolygon = true
        case "LookAt", "Camera", "Model": isInView = true
        case "Track":
            altitudes.begin(isAbsolute: multiTrack?.isAbsolute)
            track = KMLTrackTimes()
            if multiTrack == nil {
                beginTrack(&events)
            } else if multiTrack?.isInterpolated != true {
                events.append(.segment)
            }
        default: break
        }
    }

    package func streamsText(of name: String) -> Bool { name == "coordinates" }

    package mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        guard !isPolygon else { return }
        let (fix, odd) = try fix(token.split(separator: ",", omittingEmptySubsequences: false))
        if isPoint {
            // A placemark may contain several points.
            try endPoint(&events)
            point = fix
            if altitudes.isAbsolute == nil {
                pointAltitude = fix.altitude
                point?.removeAltitude()
            }
        } else {
            addToLine(fix, &events)
        }
        if let odd { throw odd }
    }

    /// Adds a position to the line, unless the line is a route, whose points are read.
    private mutating func addToLine(_ fix: Fix, _ events: inout [InputEvent]) {
        guard isLine, route == nil else { return }
        places.hasTrack = true
        altitudes.append(fix, &lineEvents)
        passOnLine(&events)
    }

    /// Passes on the positions of the line whose altitudes are known.
    private mutating func passOnLine(_ events: inout [InputEvent]) {
        for case .fix(let fix, _) in lineEvents {
            if isOurs { events.append(.fix(fix)) } else { copies.add(toLine: fix, &events) }
        }
        lineEvents.removeAll(keepingCapacity: true)
    }

    /// Ends the current track: passes on its last position if that waits for a time.
    private mutating func endTrack(_ events: inout [InputEvent]) {
        if let fix = track?.end() { appendToTrack(fix, &events) }
        track = nil
    }

    package mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {
        switch name {
        case "name", "description", "styleUrl", "value": describe(name, text)
        case "SimpleData" where placemark != nil && track == nil && !text.isEmpty:
            switch dataName?.lowercased() {
            case "ele" where dataElevation == nil: dataElevation = try number(text, "elevation")
            case "time" where placemarkTime == nil, "timestamp" where placemarkTime == nil:
                try setTime(text)
            default: break
            }
        case "altitudeMode" where !isInView:
            let isAbsolute = text == "absolute"
            if track == nil { multiTrack?.isAbsolute = isAbsolute }
            if isLine {
                altitudes.set(isAbsolute: isAbsolute, &lineEvents)
                passOnLine(&events)
            } else {
                altitudes.set(isAbsolute: isAbsolute, &events)
            }
            if isPoint, isAbsolute, let pointAltitude { point?.set(altitude: pointAltitude) }
        case "interpolate": multiTrack?.isInterpolated = ["1", "true"].contains(text)
        case "when" where track != nil:
            let (time, odd) = instant(text)
            if let fix = try track?.add(time) { appendToTrack(fix, &events) }
            if let odd { throw odd }
        case "when" where !isInView: try setTime(text)
        case "begin":
            // A TimeStamp is more exact. Folders and views may also have a span.
            if placemark != nil, !isInView, placemarkTime == nil { try setTime(text, ofSpan: true) }
        case "coord":
            guard track != nil else { break }
            // An empty element has a time, but no position.
            var position: Fix?
            var odd: XMLReason?
            if !text.isEmpty {
                do throws(XMLReason) {
                    let read = try fix(text.split(whereSeparator: \.isWhitespace))
                    (position, odd) = (read.fix, read.odd)
                } catch {
                    odd = error
                }
            }
            // A position that is left out still has a time.
            if let fix = track?.add(position) { appendToTrack(fix, &events) }
            if let odd { throw odd }
        case "Track":
            endTrack(&events)
            altitudes.end(&events)
        case "MultiTrack": multiTrack = nil
        case "LineString":
            altitudes.end(&lineEvents)
            passOnLine(&events)
            isLine = false
        case "Point":
            if let pointAltitude, altitudes.isAbsolute == nil {
                altitudes.noteWithoutMode(pointAltitude)
            }
            isPoint = false
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
            // OpenTracks and My Tracks mark the start and the end, gpsbabel waypoints.
            if ["#waypoint", "#start", "#end"].contains(text) { placemark?.kind = "waypoint" }
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

    /// Begins a segment, and a track if the name of the placemark is not that of the last track:
    /// `KMLFormat` writes a placemark for every segment.
    private mutating func beginTrack(_ events: inout [InputEvent]) {
        copies.beginTrack(named: nameOfTrack, &events)
    }

    /// The name of the placemark, which is that of its track.
    private var nameOfTrack: String? { placemark?.name?.withoutSimulated(isSimulated) }

    private mutating func appendToTrack(_ fix: Fix, _ events: inout [InputEvent]) {
        places.hasTrack = true
        if isOurs || copies.isNew(ofTrack: fix) { altitudes.append(fix, &events) }
    }

    /// Passes on the last point of the placemark: a waypoint, a point of a route, or a fix.
    private mutating func endPoint(_ events: inout [InputEvent]) throws(XMLReason) {
        defer { point = nil }
        guard var fix = point, let position = fix.coordinate else { return }
        if let placemarkTime { fix.set(time: placemarkTime) }
        if fix.altitude == nil, let dataElevation { fix.set(altitude: dataElevation) }
        guard route != nil || isWaypoint else {
            places.hasTrack = true
            if isOurs {
                // gpsbridge writes a segment of one fix as a point.
                beginTrack(&events)
                events += [.fix(fix), .segment]
            } else if fix.time == nil {
                copies.add(point: fix, &events)
            } else if isSpan || copies.isNew(point: fix) {
                events.append(.fix(fix))
            }
            return
        }
        // Some programs mark an unknown start at 0° N 0° E.
        if route == nil, position == Coordinate(latitude: 0, longitude: 0) { return }
        var waypoint = Waypoint(position)
        (waypoint.altitude, waypoint.time) = (fix.altitude, fix.time)
        (waypoint.name, waypoint.description) = (placemark?.name, placemark?.description)
        guard route != nil else { return places.add(waypoint) { events.append($0) } }
        guard route?.points.count ?? 0 < ReadPlaces.maximumRouteLength else {
            throw XMLReason("the route has more than \(ReadPlaces.maximumRouteLength) points")
        }
        route?.points.append(waypoint)
    }

    /// Whether gpsbridge wrote the placemark, for a segment of a track.
    private var isOurs: Bool { placemark?.description?.hasPrefix("origin: ") == true }

    /// Whether the point of the placemark is a waypoint.
    private var isWaypoint: Bool {
        if placemark?.kind == "waypoint" { return true }
        let isTimed = placemarkTime != nil || hasOddTime
        return places.isKept && (!isTimed || isSpan) && placemark?.isOfTrack != true
    }

    private mutating func endRoute(_ events: inout [InputEvent]) {
        if let route { places.add(route) { events.append($0) } }
        route = nil
    }

    package mutating func finish(_ events: inout [InputEvent]) {
        // If the file is cut off, the line, the track and the route have no end tag.
        if track != nil { endTrack(&events) }
        if isLine {
            altitudes.end(&lineEvents)
            passOnLine(&events)
        } else {
            altitudes.end(&events)
        }
        copies.finish(&events)
        endRoute(&events)
        places.finish { events.append($0) }
    }

    /// Sets the time of the placemark, or the beginning of its span of time.
    private mutating func setTime(_ text: String, ofSpan isSpan: Bool = false) throws(XMLReason) {
        let (time, odd) = instant(text)
        (placemarkTime, self.isSpan) = (time, isSpan)
        if !isSpan { hasOddTime = odd != nil && !Self.isDate(text) }
        if let odd { throw odd }
    }

    private static let day = LeftOut.Reason("date", "without a time of day")

    /// Returns whether a text is a year, a month or a day, which KML allows as a time.
    private static func isDate(_ text: String) -> Bool {
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return [[4], [4, 2], [4, 2, 2]].contains(lengths)
            && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }

    /// Parses the time of a position. `odd` is the reason why a time is left out, such as a day
    /// without a time of day.
    private func instant(_ text: String) -> (time: UTCTime?, odd: XMLReason?) {
        guard !Self.isDate(text) else {
            return (nil, XMLReason("not a time: \"\(text)\"", leavingOut: Self.day, text))
        }
        do throws(XMLReason) {
            return (try time(text), nil)
        } catch {
            return (nil, error)
        }
    }

    /// Returns the fix for a longitude, a latitude and, if present, an altitude. Throws the reason
    /// if the position is not valid. `odd` is the reason why an altitude is left out.
    private func fix(_ parts: [Substring]) throws(XMLReason) -> (fix: Fix, odd: XMLReason?) {
        guard parts.count >= 2, let longitude = Double(decimal: parts[0]),
            let latitude = Double(decimal: parts[1]),
            let coordinate = Coordinate(checking: latitude, longitude)
        else {
            let text = parts.joined(separator: ",")
            throw XMLReason(
                "not a position: \"\(text.prefix(40))\"", leavingOut: .position, text)
        }
        var fix = Fix()
        fix.coordinate = coordinate
        var odd: XMLReason?
        if parts.count > 2, altitudes.isAbsolute != false {
            do throws(XMLReason) {
                fix.altitude = try number(String(parts[2]), "altitude")
            } catch {
                if altitudes.isAbsolute == true { odd = error }
            }
        }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return (fix, odd)
    }
}

/// Finds the copies of positions in KML. Some programs write one track in several ways, in any
/// order: as a `gx:Track`, as points, and as a line, perhaps with fewer digits.
///
/// Positions with a time are passed on at once, so lines and points without a time are held until
/// the end of the file, up to 100,000 positions. Then these are left out: the parts of a line whose
/// positions have been read with times, and a point that is on a line. So a line with points at its
/// start and its end is only that line, and a line that is longer than a track continues it.
private struct KMLCopies {
    /// The part of the surface in which two positions are the same one: about 2 m.
    private struct Cell: Hashable {
        private static let perDegree = 5e4
        /// Half a cell in degrees.
        static let radius = 0.5 / perDegree

        let latitude: Int32
        let longitude: Int32

        init(_ latitude: Double, _ longitude: Double) {
            // Coordinates are at most 180 degrees.
            self.latitude = Int32((latitude * Self.perDegree).rounded(.down))
            self.longitude = Int32((longitude * Self.perDegree).rounded(.down))
        }

        init(_ position: Coordinate) { self.init(position.latitude, position.longitude) }
    }

    private struct Cells {
        private var cells: Set<Cell> = []
        private var isFull: Bool { cells.count >= KMLCopies.maximumCount }

        mutating func insert(_ position: Coordinate) {
            if !isFull { cells.insert(Cell(position)) }
        }

        func contains(_ position: Coordinate) -> Bool {
            for north in [-Cell.radius, Cell.radius] {
                for east in [-Cell.radius, Cell.radius] {
                    let cell = Cell(position.latitude + north, position.longitude + east)
                    if cells.contains(cell) { return true }
                }
            }
            return false
        }

        /// Returns the parts of a line that are not copies. If there are too many cells to know, the
        /// first two positions decide about the whole line.
        func parts(notIn line: Piece) -> [Piece] {
            let known = isFull ? line.positions.prefix(2) : line.positions[...]
            var isCopy = known.map { contains($0.coordinate) }
            guard let first = isCopy.firstIndex(of: true), let last = isCopy.lastIndex(of: true)
            else { return [line] }
            if isFull { return isCopy.contains(false) ? [line] : [] }
            // Between the first and the last copy, programs leave out or round some positions.
            let count = last - first + 1
            if isCopy.count(where: \.self) * 10 >= count * 9 {
                isCopy.replaceSubrange(first...last, with: repeatElement(true, count: count))
            }
            var (parts, isEnded): ([Piece], Bool) = ([], true)
            var rest = isCopy[...]
            while let flag = rest.first {
                let run = rest.prefix { $0 == flag }
                rest = rest.dropFirst(run.count)
                // A line that crosses the track has a single position there.
                guard !flag || run.count < min(2, isCopy.count) else {
                    isEnded = true
                    continue
                }
                if isEnded { parts.append(Piece(isLine: true, name: line.name)) }
                isEnded = false
                parts[parts.count - 1].positions += line.positions[run.indices]
            }
            return parts
        }
    }

    private struct TimedCell: Hashable {
        private let cell: Cell
        let second: Int64

        init?(_ fix: Fix) {
            guard let position = fix.coordinate, let time = fix.time?.unixNanoseconds else {
                return nil
            }
            (cell, second) = (Cell(position), time / 1_000_000_000)
        }
    }

    /// A position that is held. A fix would need much more memory.
    private struct Position {
        var coordinate: Coordinate
        var altitude: Double?
    }

    private struct Piece {
        var isLine: Bool
        /// The name of the line; `nil` if it has none, and for points.
        var name: String?
        var positions: [Position] = []
    }

    private static let maximumCount = 100_000

    /// The positions with a time, and those of tracks.
    private var timed = Cells()
    private var trackPoints: Set<TimedCell> = []
    private var timedPoints: Set<TimedCell> = []
    private var held: [Piece] = []
    private var heldCount = 0
    /// Whether there were too many positions to hold. Then nothing else is held.
    private(set) var isExceeded = false
    /// The name of the last track that was passed on.
    private var trackName: String?

    /// Begins a segment, and a track if the name is not that of the last track.
    mutating func beginTrack(named name: String?, _ events: inout [InputEvent]) {
        events.append(name == trackName ? .segment : .track(name: name))
        trackName = name
    }

    /// Adds a position of a `gx:Track`. Returns `false` if it is a copy of a point with a time.
    mutating func isNew(ofTrack fix: Fix) -> Bool {
        guard let position = fix.coordinate else { return true }
        timed.insert(position)
        guard let cell = TimedCell(fix) else { return true }
        if trackPoints.count < Self.maximumCount { trackPoints.insert(cell) }
        return timedPoints.isEmpty || !timedPoints.contains(cell)
    }

    /// Adds a point with a time. Returns `false` if it is a copy of a position of a `gx:Track`.
    mutating func isNew(point fix: Fix) -> Bool {
        guard let position = fix.coordinate else { return true }
        timed.insert(position)
        guard let cell = TimedCell(fix) else { return true }
        if timedPoints.count < Self.maximumCount { timedPoints.insert(cell) }
        return trackPoints.isEmpty || !trackPoints.contains(cell)
    }

    /// Begins a line without times.
    mutating func beginLine(named name: String?) { held.append(Piece(isLine: true, name: name)) }

    /// Adds a position of the line.
    mutating func add(toLine fix: Fix, _ events: inout [InputEvent]) {
        if isExceeded { return events.append(.fix(fix)) }
        hold(fix, &events)
    }

    /// Adds a point without a time.
    mutating func add(point fix: Fix, _ events: inout [InputEvent]) {
        if isExceeded { return events.append(.fix(fix)) }
        if held.last?.isLine != false { held.append(Piece(isLine: false)) }
        hold(fix, &events)
    }

    private mutating func hold(_ fix: Fix, _ events: inout [InputEvent]) {
        guard let position = fix.coordinate, !held.isEmpty else { return }
        held[held.count - 1].positions.append(
            Position(coordinate: position, altitude: fix.altitude))
        heldCount += 1
        guard heldCount > Self.maximumCount else { return }
        finish(&events)
        isExceeded = true
    }

    /// Passes on the lines and points that are no copies.
    mutating func finish(_ events: inout [InputEvent]) {
        held = held.flatMap { $0.isLine ? timed.parts(notIn: $0) : [$0] }
        var lines = Cells()
        for piece in held where piece.isLine {
            for position in piece.positions { lines.insert(position.coordinate) }
        }
        for piece in held {
            var isFirst = true
            for position in piece.positions {
                let isCopy =
                    !piece.isLine
                    && (lines.contains(position.coordinate) || timed.contains(position.coordinate))
                if isCopy { continue }
                if isFirst { beginTrack(named: piece.name, &events) }
                isFirst = false
                var fix = Fix()
                (fix.coordinate, fix.altitude) = (position.coordinate, position.altitude)
                fix.complete(mode: nil, quality: nil)
                events.append(.fix(fix))
            }
        }
        (held, heldCount) = ([], 0)
    }
}

/// Combines the positions of a `gx:Track` with their times.
///
/// KML lists the times before the positions. Some programs write all times first, others write each
/// time after its position.
private struct KMLTrackTimes {
    /// The maximum number of times before their positions.
    private static let maximumCount = 1_000_000

    /// The times that precede their positions.
    private var times: [UTCTime?] = []
    /// The number of elements of `times` whose position was read.
    private var positioned = 0
    /// The last position, whose time may follow.
    private var waiting: Fix?
    /// The number of times that may still follow for earlier positions. These positions are
    /// missing, or were returned without a time.
    private var untimed = 0

    /// Adds the next position, or `nil` for an empty element, whose position is missing. Returns
    /// the position that is now complete: this one if its time precedes it, or the previous one if
    /// its time is missing; otherwise `nil`.
    mutating func add(_ fix: Fix?) -> Fix? {
        guard positioned < times.count else {
            let complete = end()
            if fix == nil { untimed += 1 }
            waiting = fix
            return complete
        }
        defer { positioned += 1 }
        guard var fix else { return nil }
        if let time = times[positioned] { fix.set(time: time) }
        return fix
    }

    /// Adds a time. If the position before it waits for its time, returns that position with the
    /// time. Otherwise returns `nil`, and the time belongs to a position that follows.
    mutating func add(_ time: UTCTime?) throws(XMLReason) -> Fix? {
        guard untimed == 0 else {
            untimed -= 1
            return nil
        }
        if var fix = waiting.take() {
            if let time { fix.set(time: time) }
            return fix
        }
        if positioned == times.count { (times, positioned) = ([], 0) }
        guard times.count < Self.maximumCount else {
            throw XMLReason("a gx:Track has more than \(Self.maximumCount) times")
        }
        times.append(time)
        return nil
    }

    /// Returns the last position if its time is missing; otherwise `nil`.
    mutating func end() -> Fix? {
        guard let fix = waiting.take() else { return nil }
        untimed += 1
        return fix
    }
}
