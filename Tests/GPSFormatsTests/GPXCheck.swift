// SPDX-License-Identifier: MIT

/// The requirements of the GPX 1.1 schema for tracks: elements, order and values.
struct GPXCheck {
    /// The violations found; empty for a valid file.
    private(set) var problems: [String] = []
    /// The number of points of each segment of each track.
    private(set) var tracks: [[Int]] = []

    private var open: [(name: String, place: Int)] = []
    private var text = ""

    /// The children in their required order; those with `*` may be repeated.
    private static let children: [String: [String]] = [
        "": ["gpx"],
        "gpx": ["metadata", "wpt*", "rte*", "trk*", "extensions"],
        "trk": [
            "name", "cmt", "desc", "src", "link*", "number", "type", "extensions", "trkseg*",
        ],
        "trkseg": ["trkpt*", "extensions"],
        "trkpt": [
            "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link*", "sym",
            "type", "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions",
        ],
        "extensions": ["gpxtpx:TrackPointExtension"],
        "gpxtpx:TrackPointExtension": ["gpxtpx:speed", "gpxtpx:course"],
    ]

    init(_ file: String) {
        var rest = file[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else {
                problems.append("a tag has no end")
                return
            }
            take(tag: String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !open.isEmpty { problems.append("\(open.map(\.name)) have no end") }
        if !rest.allSatisfy(\.isWhitespace) { problems.append("'\(rest)' follows") }
    }

    private mutating func take(tag: String) {
        if tag.hasPrefix("?") { return }
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            guard let last = open.popLast(), last.name == name else {
                return problems.append("</\(name)> ends nothing")
            }
            check(value: text, of: name)
        } else {
            let name = String(tag.prefix { $0 != " " })
            begin(name)
            if name == "trk" { tracks.append([]) }
            if name == "trkseg" { tracks[tracks.count - 1].append(0) }
            if name == "trkpt" {
                tracks[tracks.count - 1][tracks[tracks.count - 1].count - 1] += 1
                check(attribute: "lat", of: tag) { -90...90 ~= $0 }
                check(attribute: "lon", of: tag) { $0 >= -180 && $0 < 180 }
            }
        }
        text = ""
    }

    private mutating func begin(_ name: String) {
        let parent = open.last?.name ?? ""
        let allowed = Self.children[parent] ?? []
        let first = open.last?.place ?? 0
        let place = allowed.indices.first {
            $0 >= first && (allowed[$0] == name || allowed[$0] == name + "*")
        }
        if let place {
            if !open.isEmpty {
                open[open.count - 1].place = allowed[place].hasSuffix("*") ? place : place + 1
            }
        } else {
            problems.append("<\(name)> is not allowed here in <\(parent)>")
        }
        open.append((name, 0))
    }

    private mutating func check(value: String, of name: String) {
        let number = Double(value)
        let isRight: Bool =
            switch name {
            case "ele", "geoidheight", "hdop", "vdop", "pdop", "ageofdgpsdata", "gpxtpx:speed":
                number != nil
            case "magvar", "gpxtpx:course": number.map { $0 >= 0 && $0 < 360 } ?? false
            case "sat": Int(value).map { $0 >= 0 } ?? false
            case "dgpsid": Int(value).map { 0...1023 ~= $0 } ?? false
            case "fix": ["none", "2d", "3d", "dgps", "pps"].contains(value)
            case "time": value.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z/#) != nil
            default: true
            }
        if !isRight { problems.append("'\(value)' is not a valid \(name)") }
    }

    private mutating func check(
        attribute: String, of tag: String, _ isRight: (Double) -> Bool
    ) {
        let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
        let place = parts.firstIndex { $0.hasSuffix(" \(attribute)=") }
        guard let place, parts.indices.contains(place + 1), let value = Double(parts[place + 1]),
            isRight(value)
        else { return problems.append("<\(tag)> has no valid \(attribute)") }
    }
}
