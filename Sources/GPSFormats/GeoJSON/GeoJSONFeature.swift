// SPDX-License-Identifier: MIT
import GNSS

/// A fix as a GeoJSON feature: a point, and all other values as its properties.
struct GeoJSONFeature: Equatable {
    var source = OutputSource() {
        didSet {
            end.removeAll()
            end.append(#","source":"#)
            end.append(json: source.name)
            end.append("}}")
        }
    }
    /// The numeric properties.
    private static let members = FixProperty.all.compactMap { property in
        property.geoJSON.map { (start: $0, value: property.value, decimals: property.decimals) }
    }

    /// The number of the current segment.
    var segment = 0

    /// The text after the properties: the source's name and the closing brackets.
    private var end = TextBuffer()

    func write(_ fix: Fix, _ position: Coordinate, to text: inout TextBuffer) {
        text.append(#"{"type":"Feature","geometry":{"type":"Point","coordinates":["#)
        text.append(degrees: position.longitude)
        text.append(character: ",")
        text.append(degrees: position.latitude)
        // RFC 7946: the third number is always the altitude above the ellipsoid.
        text.append(",", fix.ellipsoidalAltitude, decimals: 3)
        text.append(#"]},"properties":{"origin":""#)
        text.append(source.originName(isSimulated: source.isSimulated(fix)))
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
        if let integrity = fix.integrity {
            text.append(#","integrity":""#)
            text.append(integrity.state.name)
            text.append(character: "\"")
        }
        text.append(#","segment":"#, segment)
        text.append(end)
    }
}
