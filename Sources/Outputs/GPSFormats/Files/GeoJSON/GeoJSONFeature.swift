// SPDX-License-Identifier: MIT
import GNSS

/// Writes a fix as a GeoJSON feature on its own line: a point with all other values as its
/// properties.
struct GeoJSONFeature: Equatable {
    var source = OutputSource() {
        didSet {
            end.removeAll()
            end.append(#","source":"#, json: source.name)
            end.append("}}\n")
        }
    }
    /// The numeric properties of a feature.
    private static let members = FixProperty.all.compactMap { property in
        property.geoJSON.map {
            (
                start: $0, value: property.written(decimals: property.decimals),
                decimals: property.decimals
            )
        }
    }

    private static let instruments = FixProperty.all.filter(\.isInstrument).map { property in
        (
            name: property.name, value: property.written(decimals: property.decimals),
            decimals: property.decimals
        )
    }

    /// The number of the current segment.
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
