// SPDX-License-Identifier: MIT
package import GNSS

/// Writes GeoJSON (RFC 7946): a collection with a point feature for every fix.
package struct GeoJSONFormat: OutputFormat, GeoJSONWriter {
    package static let traits = FormatTraits(
        name: "geojson", extensions: ["geojson"],
        summary: "GeoJSON, a collection with a point for every fix", hasWaypoints: true)

    private static let head = "{\"type\":\"FeatureCollection\",\"features\":[\n"

    var text = TextBuffer()
    private var feature = GeoJSONFeature()
    private var isEmpty = true
    private var hasFeatures = false

    package init(_ metadata: OutputMetadata) {}

    /// Sets the source. The first call writes the start of the collection.
    package mutating func begin(_ source: OutputSource) {
        feature.source = source
        guard isEmpty else { return }
        isEmpty = false
        text.append(text: Self.head)
    }

    /// Increments the segment number.
    package mutating func beginSegment() {
        feature.segment += 1
    }

    /// Writes a feature on its own line.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginFeature()
        feature.write(fix, position, to: &text)
    }

    /// The closing brackets of the collection.
    package var closing: [UInt8] { Array("]}\n".utf8) }

    /// Continues after the last complete feature.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        FileEnd.resume(head, end, start: Self.head) { lines in
            if lines.lastLineBegins("]}") { lines.dropLine() }
            feature.resume(after: lines.lastLine)
            hasFeatures =
                lines.lastLineBegins("{\"type\":\"Feature\",\"geometry\"")
                || lines.lastLineBegins(",{\"type\":\"Feature\",\"geometry\"")
            isEmpty = !hasFeatures && !lines.lastLineBegins("{\"type\":\"FeatureCollection\"")
            return !isEmpty
        }
    }

    /// Writes a comma, unless the feature is the first one.
    mutating func beginFeature() {
        if hasFeatures { text.append(character: ",") }
        hasFeatures = true
    }
}

/// The cut of a line at ±180°. In GeoJSON, lines are straight in longitude and latitude, so an
/// uncut line would lead around the world. RFC 7946 (section 3.1.9) therefore asks for the cut.
private struct AntimeridianCut {
    /// The point of the cut, as the end of the first part.
    let end: Coordinate
    /// The same point, as the start of the second part.
    let start: Coordinate

    /// Cuts the shorter of the two lines between `a` and `b`. Returns `nil` if it does not cross
    /// the antimeridian.
    init?(from a: Coordinate, to b: Coordinate) {
        let change = b.longitude - a.longitude
        guard change.magnitude > 180, change.magnitude < 360 else { return nil }
        let edge: Double = a.longitude < 0 ? -180 : 180
        let way = change > 0 ? change - 360 : change + 360
        let latitude = a.latitude + (edge - a.longitude) / way * (b.latitude - a.latitude)
        end = Coordinate(latitude: latitude, longitude: edge)
        start = Coordinate(latitude: latitude, longitude: -edge)
    }
}

extension Coordinate {
    /// Returns the same position. If its longitude is ±180, it gets the sign of the longitude of
    /// `other`, so that a line between both positions needs no cut.
    func onSide(of other: Coordinate) -> Coordinate {
        guard longitude.magnitude == 180 else { return self }
        return Coordinate(latitude: latitude, longitude: other.longitude < 0 ? -180 : 180)
    }

    /// Returns whether both positions are the same point on the antimeridian, one with longitude
    /// 180 and the other with -180.
    func isOppositeSide(of other: Coordinate) -> Bool {
        longitude.magnitude == 180 && other.longitude == -longitude && other.latitude == latitude
    }
}

/// Writes a fix as a GeoJSON feature on its own line: a point with all other values as its
/// properties.
private struct GeoJSONFeature: Equatable {
    var source = OutputSource() {
        didSet {
            end.removeAll()
            end.append(#","source":"#, json: source.name)
            end.append("}}\n")
        }
    }
    /// The numeric properties of a feature.
    private static let members = FixProperty.all.filter(\.words.isEmpty).compactMap { property in
        property.geoJSON.map {
            (
                start: $0, value: property.written(decimals: property.decimals),
                decimals: property.decimals
            )
        }
    }

    private static let words = FixProperty.all.filter { !$0.words.isEmpty }
        .compactMap { property in property.geoJSON.map { (start: $0, word: property.word(_:)) } }

    private static let instruments = FixProperty.all.filter(\.isInstrument).map { property in
        (
            name: property.name, value: property.written(decimals: property.decimals),
            decimals: property.decimals
        )
    }

    var segment = 0

    /// The last property (the source's name), the closing brackets and the end of the line.
    private var end = TextBuffer()

    /// Continues the numbers of segments after the last line of an existing file.
    mutating func resume(after line: ArraySlice<UInt8>?) {
        guard let line, let end = line.firstRange(of: Array(#","segment":"#.utf8))?.upperBound
        else { return }
        segment = FileEnd.segment(line[end...].prefix { 0x30...0x39 ~= $0 }) ?? segment
    }

    func write(_ fix: Fix, _ position: Coordinate, to text: inout TextBuffer) {
        text.append(#"{"type":"Feature","geometry":{"type":"Point","coordinates":"#)
        Self.append(position, fix.ellipsoidalAltitude, to: &text)
        text.append(#"},"properties":{"origin":""#)
        text.append(text: source.originName(isSimulated: source.isSimulated(fix)))
        if let time = fix.time {
            text.append(#"","time":""#)
            text.append(iso8601: time)
        }
        text.append(#"","mode":"#, Int(fix.mode.rawValue))
        text.append(#","quality":""#)
        text.append(fix.quality.name)
        text.append(character: "\"")
        text.appendRecord { record in
            for member in Self.members {
                record.append(member.start, member.value(fix), decimals: member.decimals)
            }
        }
        for member in Self.words {
            guard let word = member.word(fix) else { continue }
            text.append(member.start, json: word.name)
        }
        if !fix.instruments.isEmpty {
            for property in Self.instruments {
                // A larger number would not be written, but its name would.
                guard let value = property.value(fix), value.magnitude < 1e9 else { continue }
                text.append(character: ",")
                text.append(json: property.name)
                text.append(":", value, decimals: property.decimals)
            }
        }
        if let integrity = fix.integrity {
            text.append(#","integrity":""#)
            text.append(text: integrity.state.rawValue)
            text.append(character: "\"")
        }
        text.append(#","segment":"#, segment)
        text.append(end)
    }

    /// Writes a waypoint. Its altitude is a property and not a coordinate, because it is above mean
    /// sea level.
    static func write(_ waypoint: Waypoint, to text: inout TextBuffer) {
        text.append(#"{"type":"Feature","geometry":{"type":"Point","coordinates":"#)
        append(waypoint.coordinate, to: &text)
        text.append(#"},"properties":{"kind":"waypoint""#)
        text.append(#","name":"#, json: waypoint.name)
        text.append(#","description":"#, json: waypoint.description)
        text.append(#","symbol":"#, json: waypoint.symbol)
        text.append(#","altitude":"#, waypoint.altitude, decimals: 3)
        text.append(#","time":""#, quoted: waypoint.time)
        text.append("}}\n")
    }

    /// Writes a route with the names of its points, but not their other values. If it crosses ±180°,
    /// it is a `MultiLineString`, and the names of the points where it is cut are `null`.
    static func write(_ route: Route, to text: inout TextBuffer) {
        let lines = lines(of: route)
        text.append(#"{"type":"Feature","properties":{"kind":"route""#)
        text.append(#","name":"#, json: route.name)
        text.append(#","description":"#, json: route.description)
        text.append(#","points":["#)
        for (index, vertex) in lines.joined().enumerated() {
            if index > 0 { text.append(",") }
            if let name = vertex.name { text.append(json: name) } else { text.append("null") }
        }
        text.append(#"]},"geometry":{"type":""#)
        // A LineString has at least two positions.
        let isLine = route.points.count > 1
        text.append(lines.count > 1 ? "Multi" : "")
        text.append(isLine ? #"LineString","coordinates":"# : #"Point","coordinates":"#)
        if lines.count > 1 { text.append("[") }
        for (index, line) in lines.enumerated() {
            if index > 0 { text.append(",") }
            if isLine { text.append("[") }
            for (index, vertex) in line.enumerated() {
                if index > 0 { text.append(",") }
                append(vertex.position, to: &text)
            }
            if isLine { text.append("]") }
        }
        text.append(lines.count > 1 ? "]}}\n" : "}}\n")
    }

    /// A position on a line of a route. Its name is `nil` if the position is not a point of the
    /// route, but was added where the line is cut at ±180°.
    private struct Vertex {
        var position: Coordinate
        var name: String?
    }

    /// Returns the lines of a route, which is cut at ±180°.
    private static func lines(of route: Route) -> [[Vertex]] {
        var lines: [[Vertex]] = []
        var line: [Vertex] = []
        let second = route.points.dropFirst().first?.coordinate
        for (index, point) in route.points.enumerated() {
            // A point at ±180° has the side of the previous point; the first one, that of the next.
            let neighbour = line.last?.position ?? second ?? point.coordinate
            let position = point.coordinate.onSide(of: neighbour)
            if index > 0, let cut = AntimeridianCut(from: neighbour, to: position) {
                if cut.end != neighbour { line.append(Vertex(position: cut.end)) }
                lines.append(line)
                line = [Vertex(position: cut.start)]
            }
            line.append(Vertex(position: position, name: point.name ?? ""))
        }
        return lines + [line]
    }

    /// Writes a position. According to RFC 7946, the third number is the altitude above the
    /// ellipsoid.
    static func append(
        _ position: Coordinate, _ ellipsoidalAltitude: Double? = nil, to text: inout TextBuffer
    ) {
        text.append(character: "[")
        text.append(degrees: position.longitude)
        text.append(character: ",")
        text.append(degrees: position.latitude)
        text.append(",", ellipsoidalAltitude, decimals: 3)
        text.append(character: "]")
    }
}

/// Writes GeoJSON (RFC 7946) with a line for every segment. A segment with a single position is a
/// point.
///
/// A line that crosses ±180° is cut there. Its parts are features with the same `segment` and not a
/// `MultiLineString`, because the start of a long line is already written when it crosses.
///
/// Times, speeds and accuracies are not written, because a line cannot store them for each
/// position.
package struct GeoJSONLineFormat: OutputFormat, GeoJSONWriter {
    /// The format has no extension, because `.geojson` selects the format with points. A truncated
    /// line cannot be continued.
    package static let traits = FormatTraits(
        name: "geojson-lines", extensions: [],
        summary: "GeoJSON, a collection with a line for every segment", hasWaypoints: true,
        isContinuable: false)

    private enum State {
        case between
        /// A segment has begun with this fix. It has not been written yet, because it may be the
        /// only one.
        case atFirst(Fix, Coordinate)
        /// A line has been written up to the position `last`.
        case inLine(isSimulated: Bool, last: Coordinate)
    }

    var text = TextBuffer()
    private var state = State.between
    private var source = OutputSource()
    private var segment = 0
    private var isEmpty = true
    private var hasFeatures = false

    package init(_ metadata: OutputMetadata) {}

    /// Ends the segment and sets the source. The first call writes the start of the collection.
    package mutating func begin(_ source: OutputSource) {
        endSegment()
        self.source = source
        guard isEmpty else { return }
        isEmpty = false
        text.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    }

    /// Ends the line. The next fix begins another one.
    package mutating func beginSegment() {
        endSegment()
        segment += 1
    }

    /// Writes a position.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        let isSimulated = source.isSimulated(fix)
        switch state {
        case .atFirst(let first, let start) where source.isSimulated(first) == isSimulated:
            beginFeature("LineString", isSimulated)
            text.append("[")
            let start = start.onSide(of: position)
            append(first, start)
            continueLine(from: start, to: fix, position)
        case .inLine(isSimulated, let last): continueLine(from: last, to: fix, position)
        case .atFirst, .inLine, .between:
            endSegment()
            state = .atFirst(fix, position)
        }
    }

    /// Writes the next position of a line, and cuts the line if it crosses ±180°.
    private mutating func continueLine(
        from last: Coordinate, to fix: Fix, _ position: Coordinate
    ) {
        let isSimulated = source.isSimulated(fix)
        let position = position.onSide(of: last)
        if let cut = AntimeridianCut(from: last, to: position) {
            if cut.end != last {
                text.append(",\n")
                GeoJSONFeature.append(cut.end, to: &text)
            }
            text.append("]}}\n")
            beginFeature("LineString", isSimulated)
            text.append("[")
            GeoJSONFeature.append(cut.start, to: &text)
        }
        text.append(",\n")
        append(fix, position)
        state = .inLine(isSimulated: isSimulated, last: position)
    }

    // The properties precede the geometry, so that a streaming reader has them before the first
    // position.
    private mutating func beginFeature(_ geometry: StaticString, _ isSimulated: Bool) {
        separateFeature()
        text.append(#"{"type":"Feature","properties":{"origin":""#)
        text.append(text: source.originName(isSimulated: isSimulated))
        text.append(#"","segment":"#, segment)
        text.append(#","source":"#, json: source.name)
        text.append(#","name":"#, json: source.track)
        text.append(#"},"geometry":{"type":""#)
        text.append(geometry)
        text.append(#"","coordinates":"#)
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate) {
        GeoJSONFeature.append(position, fix.ellipsoidalAltitude, to: &text)
    }

    private mutating func endSegment() {
        switch state {
        case .between: return
        case .atFirst(let fix, let position):
            beginFeature("Point", source.isSimulated(fix))
            append(fix, position)
            text.append("}}\n")
        case .inLine: text.append("]}}\n")
        }
        state = .between
    }

    /// The closing brackets of all open elements.
    package var closing: [UInt8] {
        var rest = self
        rest.text.removeAll()
        rest.endSegment()
        rest.text.append("]}\n")
        return rest.text.array
    }

    /// Ends the current line, and writes a comma unless the feature is the first one.
    mutating func beginFeature() {
        endSegment()
        separateFeature()
    }

    private mutating func separateFeature() {
        if hasFeatures { text.append(character: ",") }
        hasFeatures = true
    }
}

/// Writes GeoJSON text sequences (RFC 8142), for programs that read streams. Each fix is a feature
/// after a record separator.
package struct GeoJSONSeqFormat: OutputFormat, GeoJSONWriter, Equatable {
    package static let traits = FormatTraits(
        name: "geojsonseq", extensions: ["geojsons", "geojsonseq"],
        summary: "GeoJSON text sequence, a feature for every fix, for streams", hasWaypoints: true)

    var text = TextBuffer()
    private var feature = GeoJSONFeature()

    package init(_ metadata: OutputMetadata) {}

    /// Sets the source of the next features.
    package mutating func begin(_ source: OutputSource) {
        feature.source = source
    }

    /// Increments the segment number.
    package mutating func beginSegment() {
        feature.segment += 1
    }

    /// Writes a record.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        beginFeature()
        feature.write(fix, position, to: &text)
    }

    /// Continues after the last complete line.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard head.starts(with: "\u{1E}{".utf8) else { return nil }
        let lines = FileEnd(end)
        feature.resume(after: lines.lastLine)
        return lines.kept
    }

    /// Writes a record separator.
    mutating func beginFeature() {
        text.append(character: "\u{1E}")
    }
}

/// A format that writes GeoJSON. Waypoints are points and routes are lines, both with the property
/// `kind`.
protocol GeoJSONWriter: TextFormat {
    /// Writes the separator before a feature.
    mutating func beginFeature()
}

extension GeoJSONWriter {
    /// Writes a waypoint. Returns `false` if its position is invalid.
    package mutating func write(_ waypoint: Waypoint) -> Bool {
        guard waypoint.coordinate.isValid else { return false }
        beginFeature()
        GeoJSONFeature.write(waypoint, to: &text)
        return true
    }

    /// Writes a route. Returns `false` if one of its positions is invalid.
    package mutating func write(_ route: Route) -> Bool {
        guard route.points.allSatisfy(\.coordinate.isValid) else { return false }
        beginFeature()
        GeoJSONFeature.write(route, to: &text)
        return true
    }
}
