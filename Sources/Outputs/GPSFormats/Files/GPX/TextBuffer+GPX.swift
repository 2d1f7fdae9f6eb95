// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Appends the attributes of a point and the end of its start tag.
    mutating func append(gpxPosition position: Coordinate) {
        append(" lat=\"")
        append(degrees: position.latitude)
        append("\" lon=\"")
        append(longitudeBelow180: position.longitude)
        append("\">")
    }

    /// Appends the attributes and elements of a waypoint, in the schema's order.
    mutating func append(gpxPlace waypoint: Waypoint) {
        append(gpxPosition: waypoint.coordinate)
        append("<ele>", waypoint.altitude, decimals: 3, "</ele>")
        append("<time>", dateTime: waypoint.time, "</time>")
        append("<name>", xml: waypoint.name, "</name>")
        append("<desc>", xml: waypoint.description, "</desc>")
        append("<sym>", xml: waypoint.symbol, "</sym>")
    }

    /// Appends the elements of a point, in the schema's order.
    mutating func append(gpxPoint fix: Fix) {
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
