// SPDX-License-Identifier: MIT
public import GNSS

/// Writes GPX 1.1, with a track for every source, and a new segment after every gap.
///
/// Speed and course are written as Garmin's `TrackPointExtension`, version 2, because GPX 1.1
/// cannot store them.
public struct GPXFormat: OutputFormat, TextFormat, Equatable {
    /// The name `gpx`.
    public static let name = "gpx"
    /// The file extension `gpx`.
    public static let fileExtensions = ["gpx"]
    /// The description in `--help`.
    public static let summary = "GPX 1.1 tracks, with a new segment after every gap"
    /// Altitudes are above mean sea level.
    public static let storesEllipsoidalAltitude = false
    /// Title, description and author are stored in the element `metadata`.
    public static let hasMetadata = true
    /// Waypoints and routes can be stored before the first track.
    public static let hasWaypoints = true
    /// The schema requires waypoints before routes, and routes before tracks.
    public static let placesPrecedeFixes = true

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
    private var metadata = OutputMetadata()

    /// Creates a writer.
    public init() {}

    /// Sets the title, the description and the author.
    public mutating func describe(_ metadata: OutputMetadata) {
        self.metadata = metadata
    }

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
    public mutating func begin(_ source: OutputSource) {
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
    public mutating func beginSegment() {
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
    public var closing: [UInt8] {
        var end = TextBuffer()
        if case .inTrack = state { end.append(Self.trackEnd) }
        end.append(Self.end)
        return end.array
    }

    /// Continues after the last complete point.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
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
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginPoint(source.isSimulated(fix))
        text.append("<trkpt")
        text.append(gpxPosition: position)
        text.append(gpxPoint: fix)
        text.append("</trkpt>\n")
    }

    /// Writes a waypoint. Returns `false` after a route or a track, and for an invalid position.
    public mutating func write(_ waypoint: Waypoint) -> Bool {
        guard section == .waypoints, waypoint.coordinate.isValid else { return false }
        text.append("<wpt")
        text.append(gpxPlace: waypoint)
        text.append("</wpt>\n")
        return true
    }

    /// Writes a route. Returns `false` after a track, and if a position is invalid.
    public mutating func write(_ route: Route) -> Bool {
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
