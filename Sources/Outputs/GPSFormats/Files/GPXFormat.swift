// SPDX-License-Identifier: MIT
package import GNSS

/// Writes GPX 1.1, with a track for every source, and a new segment after every gap.
///
/// Speed and course are written as Garmin's `TrackPointExtension`, version 2, because GPX 1.1
/// cannot store them.
package struct GPXFormat: OutputFormat, TextFormat, Equatable {
    package static let traits = FormatTraits(
        name: "gpx", extensions: ["gpx"],
        summary: "GPX 1.1 tracks, with a new segment after every gap",
        storesEllipsoidalAltitude: false, hasWaypoints: true, placesPrecedeFixes: true,
        hasMetadata: true)

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="gpsbridge" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
        xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
        http://www.topografix.com/GPX/1/1/gpx.xsd">

        """
    private static let trackEnd: StaticString = "</trkseg></trk>\n"
    private static let end: StaticString = "</gpx>\n"

    private enum Section {
        case waypoints
        case routes
        case tracks
    }

    private enum State: Equatable {
        case empty
        case betweenTracks
        case inTrack(isSimulated: Bool)
    }

    var text = TextBuffer()
    private var state = State.empty
    /// The section of the last element written. The schema requires the sections in the order of
    /// the cases.
    private var section = Section.waypoints
    private var beginsSegment = false
    private var source = OutputSource()
    private let metadata: OutputMetadata

    package init(_ metadata: OutputMetadata) { self.metadata = metadata }

    private mutating func writeMetadata() {
        guard !metadata.isEmpty else { return }
        text.append("<metadata>")
        text.append("<name>", xml: metadata.title, "</name>")
        text.append("<desc>", xml: metadata.description, "</desc>")
        text.append("<author><name>", xml: metadata.author, "</name></author>")
        text.append("</metadata>\n")
    }

    // MARK: Tracks

    /// Sets the source. The next fix begins a track.
    package mutating func begin(_ source: OutputSource) {
        self.source = source
        switch state {
        case .empty:
            text.append(text: Self.head)
            writeMetadata()
        case .betweenTracks: break
        case .inTrack: text.append(Self.trackEnd)
        }
        state = .betweenTracks
    }

    /// Ends the segment. The next fix begins another one.
    package mutating func beginSegment() {
        beginsSegment = true
    }

    private mutating func beginPoint(_ isSimulated: Bool) {
        if case .inTrack(isSimulated) = state {
            if beginsSegment { text.append("</trkseg><trkseg>\n") }
        } else {
            if case .inTrack = state { text.append(Self.trackEnd) }
            beginTrack(isSimulated)
        }
        beginsSegment = false
    }

    private mutating func beginTrack(_ isSimulated: Bool) {
        section = .tracks
        text.append("<trk><name>")
        text.append(xml: source, isSimulated: isSimulated, "</name><desc>origin: ")
        text.append("</desc><trkseg>\n")
        state = .inTrack(isSimulated: isSimulated)
    }

    /// The end tags of all open elements.
    package var closing: [UInt8] {
        var end = TextBuffer()
        if case .inTrack = state { end.append(Self.trackEnd) }
        end.append(Self.end)
        return end.array
    }

    /// Continues after the last complete point.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        FileEnd.resume(head, end, start: Self.head) { lines in
            while lines.lastLineBegins("</gpx>") || lines.lastLineBegins("</trkseg></trk>") {
                lines.dropLine()
            }
            section = .tracks
            if lines.lastLineBegins("<trkpt ") || lines.lastLineBegins("<trk>")
                || lines.lastLineBegins("</trkseg><trkseg>")
            {
                state = .inTrack(isSimulated: false)
            } else if lines.lastLineBegins("<gpx ") || lines.lastLineBegins("<metadata>") {
                state = .betweenTracks
            } else {
                return false
            }
            return true
        }
    }

    /// Sets the source of the file that was resumed. The next fix continues the file's last track.
    package mutating func continueTrack(of source: OutputSource) {
        self.source = source
        if case .inTrack = state { state = .inTrack(isSimulated: source.isSimulated) }
    }

    // MARK: Points

    /// Writes a track point. Without a date, it has no time.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginPoint(source.isSimulated(fix))
        text.appendRecord { record in
            record.append("<trkpt")
            record.append(gpxPosition: position)
            record.append(gpxPoint: fix)
            record.append("</trkpt>\n")
        }
    }

    /// Writes a waypoint. Returns `false` after a route or a track, and for an invalid position.
    package mutating func write(_ waypoint: Waypoint) -> Bool {
        guard section == .waypoints, waypoint.coordinate.isValid else { return false }
        text.append("<wpt")
        text.append(gpxPlace: waypoint)
        text.append("</wpt>\n")
        return true
    }

    /// Writes a route. Returns `false` after a track, and if a position is invalid.
    package mutating func write(_ route: Route) -> Bool {
        guard section != .tracks, route.points.allSatisfy(\.coordinate.isValid) else {
            return false
        }
        section = .routes
        text.append("<rte>")
        text.append("<name>", xml: route.name, "</name>")
        text.append("<desc>", xml: route.description, "</desc>")
        text.append("\n")
        for point in route.points {
            text.append("<rtept")
            text.append(gpxPlace: point)
            text.append("</rtept>\n")
        }
        text.append("</rte>\n")
        return true
    }
}

extension TextBuffer {
    /// Appends the attributes and elements of a waypoint, in the schema's order.
    fileprivate mutating func append(gpxPlace waypoint: Waypoint) {
        appendRecord { record in
            record.append(gpxPosition: waypoint.coordinate)
            record.append("<ele>", waypoint.altitude, decimals: 3, "</ele>")
            record.append("<time>", dateTime: waypoint.time, "</time>")
        }
        append("<name>", xml: waypoint.name, "</name>")
        append("<desc>", xml: waypoint.description, "</desc>")
        append("<sym>", xml: waypoint.symbol, "</sym>")
    }
}

extension RecordWriter {
    /// Appends the attributes of a point and the end of its start tag.
    @_lifetime(self: copy self)
    fileprivate mutating func append(gpxPosition position: Coordinate) {
        append(" lat=\"", position.latitude, decimals: 9)
        append("\" lon=\"", position.longitude.below180, decimals: 9)
        append("\">")
    }

    /// Appends the elements of a point, in the schema's order.
    @_lifetime(self: copy self)
    fileprivate mutating func append(gpxPoint fix: Fix) {
        append("<ele>", fix.altitude, decimals: 3, "</ele>")
        append("<time>", dateTime: fix.time, "</time>")
        append("<magvar>", fix.unsignedVariation, decimals: 1, "</magvar>")
        append("<geoidheight>", fix.geoidSeparation, decimals: 3, "</geoidheight>")
        append("<fix>")
        append(fix.quality.gpxName ?? (fix.mode == .threeD ? "3d" : "2d"))
        append("</fix>")
        append("<sat>", fix.satellitesUsed.flatMap { $0 < 0 ? nil : $0 }, "</sat>")
        append("<hdop>", fix.dilution.hdop, decimals: 2, "</hdop>")
        append("<vdop>", fix.dilution.vdop, decimals: 2, "</vdop>")
        append("<pdop>", fix.dilution.pdop, decimals: 2, "</pdop>")
        append("<ageofdgpsdata>", fix.correctionAge, decimals: 1, "</ageofdgpsdata>")
        append(
            "<dgpsid>", fix.correctionStation.flatMap { 0...1023 ~= $0 ? $0 : nil }, "</dgpsid>")
        guard fix.speed != nil || fix.course != nil else { return }
        append("<extensions><gpxtpx:TrackPointExtension>")
        append("<gpxtpx:speed>", fix.speed, decimals: 3, "</gpxtpx:speed>")
        append(
            "<gpxtpx:course>", fix.course?.direction(decimals: 3), decimals: 3,
            "</gpxtpx:course>")
        append("</gpxtpx:TrackPointExtension></extensions>")
    }

    /// Appends a number between two tags. Appends nothing if it is `nil`, NaN or 1e9 or more.
    @inline(__always)
    @_lifetime(self: copy self)
    fileprivate mutating func append(
        _ start: StaticString, _ value: Double?, decimals: Int, _ end: StaticString
    ) {
        guard let value, value.magnitude < 1e9 else { return }
        append(start, value, decimals: decimals)
        append(end)
    }

    /// Appends an integer between two tags. Appends nothing if it is `nil`.
    @inline(__always)
    @_lifetime(self: copy self)
    fileprivate mutating func append(_ start: StaticString, _ value: Int?, _ end: StaticString) {
        guard let value else { return }
        append(start, value)
        append(end)
    }

    /// Appends an instant between two tags. Appends nothing if it is `nil`.
    @inline(__always)
    @_lifetime(self: copy self)
    fileprivate mutating func append(
        _ start: StaticString, dateTime instant: UTCTime?, _ end: StaticString
    ) {
        guard let instant else { return }
        append(start)
        append(iso8601: instant.withoutLeapSecond)
        append(end)
    }
}

extension Fix {
    /// The magnetic variation in degrees east, from 0 to below 360 even after rounding to one
    /// decimal; `nil` if unknown or impossible.
    fileprivate var unsignedVariation: Double? {
        guard let variation = magneticVariation, variation.magnitude <= 360 else { return nil }
        return (variation < 0 ? variation + 360 : variation).direction(decimals: 1)
    }
}

extension FixQuality {
    /// The value of the element `fix` for a quality; `nil` if the value is `2d` or `3d`.
    fileprivate var gpxName: StaticString? {
        switch self {
        case .differential, .rtkFixed, .rtkFloat: "dgps"
        case .precise: "pps"
        case .invalid, .autonomous, .estimated, .manual, .simulated: nil
        }
    }
}

/// Collects the waypoints and routes of a GPX file.
struct GPXPlaces {
    private var waypoint: Waypoint?
    private var route: Route?
    /// Whether the current element is in a waypoint or a point of a route, perhaps in one that is
    /// left out.
    private var isInPoint = false

    /// Begins a waypoint, a route or a point of a route. Ignores other elements.
    mutating func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason) {
        switch name {
        case "rte": route = Route()
        case "wpt", "rtept":
            (waypoint, isInPoint) = (nil, true)
            waypoint = Waypoint(try attributes.coordinate())
        default: break
        }
    }

    /// Handles the end of an element. Returns the waypoint or route that it completes; otherwise
    /// `nil`.
    mutating func end(
        _ name: String, _ text: String, _ format: GPXInput
    ) throws(XMLReason) -> InputEvent? {
        if name == "wpt" || name == "rtept" { isInPoint = false }
        switch name {
        case "wpt":
            return exchange(&waypoint, with: nil).map { .waypoint($0) }
        case "rte": return endRoute()
        case "rtept":
            guard let point = waypoint else { return nil }
            guard route?.points.count ?? 0 < ReadPlaces.maximumRouteLength else {
                throw XMLReason("the route has more than \(ReadPlaces.maximumRouteLength) points")
            }
            route?.points.append(point)
            waypoint = nil
        case "ele" where waypoint?.altitude == nil:
            waypoint?.altitude = try format.number(text, "elevation")
        case "time" where waypoint != nil && waypoint?.time == nil:
            waypoint?.time = try format.time(text)
        case "sym" where waypoint?.symbol == nil: waypoint?.symbol = text
        default: describe(name, text, isInExtensions: format.isInExtensions)
        }
        return nil
    }

    /// Ends the route. Returns it with its complete points; `nil` if it has none, or if there is no
    /// route.
    mutating func endRoute() -> InputEvent? {
        defer { route = nil }
        return route.flatMap { $0.points.isEmpty ? nil : .route($0) }
    }

    /// Sets the name or the description of the current waypoint or, if there is none, of the route.
    /// The first name is used, because extensions may contain another one later. A description in
    /// an extension is used only if none precedes it.
    private mutating func describe(_ name: String, _ text: String, isInExtensions: Bool) {
        guard !text.isEmpty, waypoint != nil || !isInPoint else { return }
        switch name {
        case "name":
            if waypoint == nil {
                if route?.name == nil { route?.name = text }
            } else if waypoint?.name == nil {
                waypoint?.name = text
            }
        case "desc":
            let current = waypoint == nil ? route?.description : waypoint?.description
            if isInExtensions, current != nil { return }
            if waypoint != nil { waypoint?.description = text } else { route?.description = text }
        case "cmt" where waypoint?.description == nil: waypoint?.description = text
        default: break
        }
    }
}
