// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Appends the elements of a point, in the schema's order.
    mutating func append(gpxPoint fix: Fix) {
        append("<ele>", fix.altitude, decimals: 3, "</ele>")
        if let time = fix.time {
            append("<time>")
            append(dateTime: time)
            append("</time>")
        }
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
        append("<gpxtpx:course>", fix.turnedCourse, decimals: 3, "</gpxtpx:course>")
        append("</gpxtpx:TrackPointExtension></extensions>")
    }
}

extension Fix {
    /// The course from 0 to below 360, also after rounding to three decimals.
    fileprivate var turnedCourse: Double? {
        course.map { $0 >= 359.9995 ? 0 : $0 }
    }

    /// The variation from 0 to below 360, also after rounding to one decimal.
    fileprivate var unsignedVariation: Double? {
        guard let variation = magneticVariation, variation.magnitude <= 360 else { return nil }
        let turned = variation < 0 ? variation + 360 : variation
        return turned >= 359.95 ? 0 : turned
    }
}

extension FixQuality {
    /// The GPX name of a quality; `nil` if GPX has only the number of dimensions for it.
    fileprivate var gpxName: StaticString? {
        switch self {
        case .differential, .rtkFixed, .rtkFloat: "dgps"
        case .precise: "pps"
        case .invalid, .autonomous, .estimated, .manual, .simulated: nil
        }
    }
}
