// SPDX-License-Identifier: MIT
import GNSS

/// What GPX says about a point between its tags.
extension TextWriter {
    /// In the schema's order.
    mutating func gpxPoint(_ fix: Fix) {
        element(.altitude, fix.altitude, decimals: 3)
        if let time = fix.time {
            put(.timeStart)
            dateTime(time)
            put(.timeEnd)
        }
        element(.variation, fix.unsignedVariation, decimals: 1)
        element(.geoidSeparation, fix.geoidSeparation, decimals: 3)
        put(fix.quality.gpxPiece ?? (fix.mode == .threeD ? .fix3D : .fix2D))
        element(.satellites, fix.satellitesUsed.flatMap { $0 < 0 ? nil : $0 })
        element(.hdop, fix.dilution.hdop, decimals: 2)
        element(.vdop, fix.dilution.vdop, decimals: 2)
        element(.pdop, fix.dilution.pdop, decimals: 2)
        element(.correctionAge, fix.correctionAge, decimals: 1)
        element(.station, fix.correctionStation.flatMap { 0...1023 ~= $0 ? $0 : nil })
        guard fix.speed != nil || fix.course != nil else { return }
        put(.extensionStart)
        element(.speed, fix.speed, decimals: 3)
        element(.course, fix.turnedCourse, decimals: 3)
        put(.extensionEnd)
    }
}

extension Fix {
    /// From 0 up to, but not, 360, as it stands to three decimals.
    fileprivate var turnedCourse: Double? {
        course.map { $0 >= 359.9995 ? 0 : $0 }
    }

    /// From 0 up to, but not, 360, as it stands to one decimal.
    fileprivate var unsignedVariation: Double? {
        guard let variation = magneticVariation, variation.magnitude <= 360 else { return nil }
        let turned = variation < 0 ? variation + 360 : variation
        return turned >= 359.95 ? 0 : turned
    }
}

extension FixQuality {
    /// What GPX calls it, where that is more than a number of dimensions.
    fileprivate var gpxPiece: JSONPiece? {
        switch self {
        case .differential, .rtkFixed, .rtkFloat: .fixDGPS
        case .precise: .fixPPS
        case .invalid, .autonomous, .estimated, .manual, .simulated: nil
        }
    }
}

extension XMLElement {
    fileprivate static let altitude = XMLElement("ele")
    fileprivate static let variation = XMLElement("magvar")
    fileprivate static let geoidSeparation = XMLElement("geoidheight")
    fileprivate static let satellites = XMLElement("sat")
    fileprivate static let hdop = XMLElement("hdop")
    fileprivate static let vdop = XMLElement("vdop")
    fileprivate static let pdop = XMLElement("pdop")
    fileprivate static let correctionAge = XMLElement("ageofdgpsdata")
    fileprivate static let station = XMLElement("dgpsid")
    fileprivate static let speed = XMLElement("gpxtpx:speed")
    fileprivate static let course = XMLElement("gpxtpx:course")
}

extension JSONPiece {
    fileprivate static let timeStart: JSONPiece = "<time>"
    fileprivate static let timeEnd: JSONPiece = "</time>"
    fileprivate static let fix2D: JSONPiece = "<fix>2d</fix>"
    fileprivate static let fix3D: JSONPiece = "<fix>3d</fix>"
    fileprivate static let fixDGPS: JSONPiece = "<fix>dgps</fix>"
    fileprivate static let fixPPS: JSONPiece = "<fix>pps</fix>"
}

extension LongPiece {
    fileprivate static let extensionStart = LongPiece("<extensions><gpxtpx:TrackPointExtension>")
    fileprivate static let extensionEnd = LongPiece("</gpxtpx:TrackPointExtension></extensions>")
}
