// SPDX-License-Identifier: MIT
package import GNSS

/// Writes KML 2.2 with Google's `gx:Track`, in which every position has a time. Positions without a
/// date are written as a `LineString`; a new line begins where altitudes become known or unknown. A
/// segment with a single position is a `Point`.
///
/// In a `gx:Track`, all times precede the positions, so the positions must be kept in memory.
/// Therefore, a segment is a `gx:MultiTrack` of short tracks with interpolation between them.
package struct KMLFormat: OutputFormat, TextFormat {
    /// The extension `kmz` is that of a zip archive with `doc.kml`. A waypoint is a placemark. A
    /// route is a folder with its points and a line. A truncated file cannot be continued, because
    /// the positions of the last track, which follow its times, are lost.
    package static let traits = FormatTraits(
        name: "kml", extensions: ["kml", "kmz"],
        summary: "KML with gx:Track, for Google Earth and many others",
        storesEllipsoidalAltitude: false, hasWaypoints: true, hasMetadata: true,
        isContinuable: false)

    /// The maximum number of positions in one `gx:Track`.
    private static let maximumTrackLength = 1024
    private static let head: StaticString = """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" \
        xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>

        """

    /// The properties shared by all positions of a line or track.
    private struct Kind: Equatable {
        var isSimulated: Bool
        var isDated: Bool
        /// Whether the positions of a line without times have altitudes. A line has only one
        /// altitude mode. Always `false` for a segment with times, because each of its tracks has
        /// its own mode.
        var hasAltitude: Bool
    }

    private enum State: Equatable {
        case empty
        case betweenSegments
        /// A segment has begun with this fix. It has not been written yet, because it may be the
        /// only one.
        case atFirst(Kind, Fix)
        case inLine(Kind)
        case inSegment(Kind)
        case inTrack(Kind, hasAltitude: Bool, count: Int)
    }

    var text = TextBuffer()
    /// The positions of the current track, which are written after its times.
    private var positions = TextBuffer()
    private var state = State.empty
    private var source = OutputSource()
    private let metadata: OutputMetadata

    package init(_ metadata: OutputMetadata) { self.metadata = metadata }

    private mutating func writeHead() {
        text.append(Self.head)
        guard !metadata.isEmpty else { return }
        text.append("<name>", xml: metadata.title, "</name>")
        text.append(
            #"<atom:author xmlns:atom="http://www.w3.org/2005/Atom"><atom:name>"#,
            xml: metadata.author, "</atom:name></atom:author>")
        text.append("<description>", xml: metadata.description, "</description>")
        text.append("\n")
    }

    // MARK: Segments

    /// Ends the segment and sets the source. The next fix begins a segment.
    package mutating func begin(_ source: OutputSource) {
        if state == .empty { writeHead() } else { endSegment() }
        state = .betweenSegments
        self.source = source
    }

    /// Ends the segment. The next fix begins another one.
    package mutating func beginSegment() {
        endSegment()
    }

    private mutating func beginSegment(_ kind: Kind, with first: Fix) {
        text.append("<Placemark><name>")
        text.append(
            xml: source, isSimulated: kind.isSimulated, "</name><description>origin: ")
        text.append("</description>")
        state = .atFirst(kind, first)
    }

    private mutating func beginLine(_ kind: Kind) {
        if kind.isDated {
            text.append("<gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n")
            state = .inSegment(kind)
        } else {
            begin("<LineString>", hasAltitude: kind.hasAltitude)
            text.append("\n")
            state = .inLine(kind)
        }
    }

    /// Begins the coordinates of a geometry.
    private mutating func begin(_ tag: StaticString, hasAltitude: Bool) {
        text.append(tag)
        if hasAltitude { text.append("<altitudeMode>absolute</altitudeMode>") }
        text.append("<coordinates>")
    }

    /// Writes the time and position of a placemark and its end tag. `kind` marks a waypoint, so that
    /// it is not read as a fix.
    private mutating func writePoint(
        _ position: Coordinate?, _ altitude: Double?, at time: UTCTime?, kind: StaticString? = nil
    ) {
        text.append("<TimeStamp><when>", dateTime: time, "</when></TimeStamp>")
        if let kind { write(kind: kind) }
        begin("<Point>", hasAltitude: altitude != nil)
        if let position { text.append(kml: position, altitude, separator: ",") }
        text.append("</coordinates></Point></Placemark>\n")
    }

    // MARK: Waypoints

    private mutating func write(kind: StaticString) {
        text.append(#"<ExtendedData><Data name="kind"><value>"#)
        text.append(kind)
        text.append("</value></Data></ExtendedData>")
    }

    /// Writes a waypoint. Returns `false` if its position is invalid.
    package mutating func write(_ waypoint: Waypoint) -> Bool {
        guard waypoint.coordinate.isValid else { return false }
        endSegment()
        writePlacemark(waypoint, kind: "waypoint")
        return true
    }

    private mutating func writePlacemark(_ waypoint: Waypoint, kind: StaticString? = nil) {
        text.append("<Placemark>")
        text.append("<name>", xml: waypoint.name, "</name>")
        text.append("<description>", xml: waypoint.description, "</description>")
        writePoint(waypoint.coordinate, waypoint.altitude, at: waypoint.time, kind: kind)
    }

    /// Writes a route. Returns `false` if one of its positions is invalid.
    package mutating func write(_ route: Route) -> Bool {
        guard route.points.allSatisfy(\.coordinate.isValid) else { return false }
        endSegment()
        text.append("<Folder>")
        text.append("<name>", xml: route.name, "</name>")
        text.append("<description>", xml: route.description, "</description>")
        write(kind: "route")
        text.append("\n")
        for point in route.points { writePlacemark(point) }
        text.append("<Placemark>")
        text.append("<name>", xml: route.name, "</name>")
        let hasAltitudes = route.points.allSatisfy { $0.altitude != nil }
        begin("<LineString>", hasAltitude: hasAltitudes)
        text.append("\n")
        for point in route.points {
            let altitude = hasAltitudes ? point.altitude : nil
            text.append(kml: point.coordinate, altitude, separator: ",")
            text.append("\n")
        }
        text.append("</coordinates></LineString></Placemark></Folder>\n")
        return true
    }

    private mutating func endTrack() {
        guard case .inTrack(let kind, _, _) = state else { return }
        text.append(positions)
        positions.removeAll()
        text.append("</gx:Track>\n")
        state = .inSegment(kind)
    }

    private mutating func endSegment() {
        endTrack()
        switch state {
        case .empty, .betweenSegments, .inTrack: return
        case .atFirst(_, let fix): writePoint(fix.coordinate, fix.altitude, at: fix.time)
        case .inLine: text.append("</coordinates></LineString></Placemark>\n")
        case .inSegment: text.append("</gx:MultiTrack></Placemark>\n")
        }
        state = .betweenSegments
    }

    /// The positions that have not been written yet, and the end tags of all open elements.
    package var closing: [UInt8] {
        var rest = self
        rest.text.removeAll()
        rest.endSegment()
        rest.text.append("</Document></kml>\n")
        return rest.text.array
    }

    // MARK: Positions

    /// Writes a position.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        let isDated = fix.time != nil
        let kind = Kind(
            isSimulated: source.isSimulated(fix), isDated: isDated,
            hasAltitude: !isDated && fix.altitude != nil)
        switch state {
        case .atFirst(kind, let first):
            beginLine(kind)
            append(first, kind)
        case .inLine(kind), .inSegment(kind), .inTrack(kind, _, _): break
        default:
            endSegment()
            return beginSegment(kind, with: fix)
        }
        append(fix, kind)
    }

    private mutating func append(_ fix: Fix, _ kind: Kind) {
        guard let position = fix.coordinate else { return }
        beginPosition(kind, hasAltitude: fix.altitude != nil)
        guard let time = fix.time else {
            text.append(kml: position, fix.altitude, separator: ",")
            return text.append(character: "\n")
        }
        text.append("<when>", dateTime: time, "</when>\n")
        positions.append("<gx:coord>")
        positions.append(kml: position, fix.altitude, separator: " ")
        positions.append("</gx:coord>\n")
    }

    private mutating func beginPosition(_ kind: Kind, hasAltitude: Bool) {
        switch state {
        case .inTrack(kind, hasAltitude, let count) where count < Self.maximumTrackLength:
            state = .inTrack(kind, hasAltitude: hasAltitude, count: count + 1)
            return
        case .inTrack: endTrack()
        default: break
        }
        guard kind.isDated else { return }
        text.append("<gx:Track><altitudeMode>")
        text.append(hasAltitude ? "absolute" : "clampToGround")
        text.append("</altitudeMode>\n")
        state = .inTrack(kind, hasAltitude: hasAltitude, count: 1)
    }
}

extension TextBuffer {
    /// Appends longitude, latitude and altitude. An unknown altitude is written as 0; the altitude
    /// mode then states that it is not used.
    fileprivate mutating func append(
        kml position: Coordinate, _ altitude: Double?, separator: Unicode.Scalar
    ) {
        append(degrees: position.longitude)
        append(character: separator)
        append(degrees: position.latitude)
        append(character: separator)
        if let altitude, altitude.magnitude < 1e9 {
            append(fixed: altitude, decimals: 3)
        } else {
            append(character: "0")
        }
    }
}

/// The altitude mode of a line or a `gx:Track`, and its positions until the mode is known.
///
/// Some programs, such as simplekml, write `altitudeMode` after the positions. Therefore, up to
/// 100,000 positions are held. Those of longer lines are passed on without altitudes.
struct KMLAltitudes {
    /// The data of a position. A fix would need much more memory.
    private struct Position {
        var coordinate: Coordinate
        var altitude: Double?
        var time: UTCTime?
    }

    private static let maximumCount = 100_000

    /// Whether the mode is `absolute`, so that altitudes are used; `nil` until it is known.
    private(set) var isAbsolute: Bool?
    /// Whether the mode of a line followed positions that had been passed on without altitudes.
    private(set) var areLost = false
    /// Whether altitudes other than 0 had no mode. KML then places the positions on the ground.
    private(set) var haveNoMode = false
    private var held: [Position] = []
    /// The quality of the positions in `held`.
    private var quality = FixQuality.autonomous
    /// Whether there were too many positions to hold.
    private var isExceeded = false

    /// Begins a geometry. `isAbsolute` is `nil` if its mode is not known.
    mutating func begin(isAbsolute: Bool?) {
        (self.isAbsolute, isExceeded) = (isAbsolute, false)
    }

    /// Sets the mode, and passes on the positions that waited for it.
    mutating func set(isAbsolute: Bool, _ events: inout [InputEvent]) {
        guard !isExceeded else {
            areLost = areLost || isAbsolute
            return
        }
        self.isAbsolute = isAbsolute
        passOn(&events)
    }

    /// Passes on a position, or holds it until the mode is known.
    mutating func append(_ fix: Fix, _ events: inout [InputEvent]) {
        guard let coordinate = fix.coordinate else { return }
        if let isAbsolute {
            var fix = fix
            // The position may have been read before the mode.
            if !isAbsolute { fix.removeAltitude() }
            return events.append(.fix(fix))
        }
        held.append(Position(coordinate: coordinate, altitude: fix.altitude, time: fix.time))
        quality = fix.quality
        guard held.count > Self.maximumCount else { return }
        (isAbsolute, isExceeded) = (false, true)
        passOn(&events)
    }

    /// Ends the geometry. Without a mode, altitudes are not used.
    mutating func end(_ events: inout [InputEvent]) {
        if isAbsolute == nil { for position in held { noteWithoutMode(position.altitude) } }
        passOn(&events)
        (isAbsolute, isExceeded) = (nil, false)
    }

    /// Notes the altitude of a position in a geometry without a mode.
    mutating func noteWithoutMode(_ altitude: Double?) {
        if let altitude, altitude != 0 { haveNoMode = true }
    }

    private mutating func passOn(_ events: inout [InputEvent]) {
        for position in held {
            var fix = Fix()
            fix.coordinate = position.coordinate
            if isAbsolute == true { fix.altitude = position.altitude }
            if let time = position.time { fix.set(time: time) }
            fix.complete(mode: nil, quality: quality)
            events.append(.fix(fix))
        }
        held = []
    }
}

extension Fix {
    /// Removes the altitude, so that the position is 2D.
    mutating func removeAltitude() {
        (altitude, mode) = (nil, .twoD)
    }

    /// Sets the altitude, so that the position is 3D.
    mutating func set(altitude: Double) {
        (self.altitude, mode) = (altitude, .threeD)
    }
}
