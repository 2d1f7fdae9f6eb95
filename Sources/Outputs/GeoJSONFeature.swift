// SPDX-License-Identifier: MIT
import GNSS

/// One fix as a GeoJSON feature: a point, and what else is known as its properties.
struct GeoJSONFeature {
    /// More than a feature takes, not counting the source's name.
    static let longest = 900

    var source = OutputSource() {
        didSet {
            name = Array(#","source":"#.utf8) + JSONLines.escaped(source.name)
            notSimulated = source.word(simulated: false) == "replay" ? .replay : .live
        }
    }
    /// Counts the stretches without a gap.
    var segment = 0

    private var name: [UInt8] = []
    private var notSimulated = JSONPiece.live

    /// More than the next feature takes.
    var length: Int { Self.longest + name.count }

    func write(_ fix: Fix, _ position: Coordinate, to text: inout TextWriter) {
        text.put(.head)
        text.put(.coordinates)
        text.degrees(position.longitude)
        text.put(character: ",")
        text.degrees(position.latitude)
        // RFC 7946: the third number is the height above the ellipsoid, and nothing else.
        if let height = fix.ellipsoidalAltitude, height.magnitude < 1e9 {
            text.put(character: ",")
            text.decimal(height, 3)
        }
        let names = JSONNames.all
        text.put(.properties)
        text.put(source.isSimulated(fix) ? .simulated : notSimulated)
        if let time = fix.time {
            text.put(names.time)
            text.utc(time)
            text.put(character: "\"")
        }
        text.number(names.mode, Int(fix.mode.rawValue))
        text.put(.quality)
        text.put(fix.quality.piece)
        text.put(character: "\"")
        text.number(.altitudeProperty, fix.altitude, decimals: 3)
        text.number(.geoid, fix.geoidSeparation, decimals: 3)
        text.number(names.speed, fix.speed, decimals: 3)
        text.number(.courseProperty, fix.course, decimals: 3)
        text.number(.satellitesProperty, fix.satellitesUsed)
        text.number(names.hdop, fix.dilution.hdop, decimals: 2)
        text.number(names.vdop, fix.dilution.vdop, decimals: 2)
        text.number(names.pdop, fix.dilution.pdop, decimals: 2)
        accuracy(.horizontal, fix.accuracy.horizontal, to: &text)
        accuracy(.vertical, fix.accuracy.vertical, to: &text)
        text.number(.segment, segment)
        text.put(name.span)
        text.put(.end)
    }

    private func accuracy(_ name: LongPiece, _ value: Double?, to text: inout TextWriter) {
        guard let value, value.magnitude < 1e9 else { return }
        text.put(name)
        text.decimal(value, 3)
    }
}

extension LongPiece {
    fileprivate static let head = LongPiece(
        #"{"type":"Feature","geometry":{"type":"Point","co"#)
    fileprivate static let properties = LongPiece(#"]},"properties":{"origin":"#)
    fileprivate static let horizontal = LongPiece(#","horizontal_accuracy":"#)
    fileprivate static let vertical = LongPiece(#","vertical_accuracy":"#)
}

extension JSONPiece {
    fileprivate static let coordinates: JSONPiece = #"ordinates":["#
    fileprivate static let live: JSONPiece = #""live""#
    fileprivate static let replay: JSONPiece = #""replay""#
    fileprivate static let simulated: JSONPiece = #""simulated""#
    fileprivate static let quality: JSONPiece = #","quality":""#
    fileprivate static let altitudeProperty: JSONPiece = #","altitude":"#
    fileprivate static let geoid: JSONPiece = #","geoid":"#
    fileprivate static let courseProperty: JSONPiece = #","course":"#
    fileprivate static let satellitesProperty: JSONPiece = #","satellites":"#
    fileprivate static let segment: JSONPiece = #","segment":"#
    fileprivate static let end: JSONPiece = "}}"
}
