// SPDX-License-Identifier: MIT
public import Devices
public import GNSS
import NMEA

/// One readable line per fix, in columns that line up: made for logs and grep.
public enum TextReports {
    /// The line of a fix; data that is not live says so first.
    public static func line(for fix: Fix, inView: Int, origin: DataOrigin) -> String {
        var columns: [String] = []
        switch (origin, fix.quality) {
        case (.simulated, _), (_, .simulated): columns.append("SIMULATED")
        case (.replay, _): columns.append("REPLAY")
        case (.live, _): break
        }
        columns.append(fix.time?.description ?? padded("no date", 24))
        let satellites = "\(padded(fix.satellitesUsed ?? 0, 2)) of \(padded(inView, 2)) satellites"
        guard let position = fix.coordinate else {
            columns.append("no fix")
            columns.append(satellites)
            return columns.joined(separator: "  ")
        }
        columns.append(angle(position.latitude, "N", "S", 10))
        columns.append(angle(position.longitude, "E", "W", 11))
        columns.append(number(fix.altitude, 1, "m", 8))
        columns.append(number(fix.accuracy.horizontal, 1, "m", 5, sign: "+-"))
        columns.append(number(fix.speed, 1, "m/s", 5))
        columns.append(number(fix.course, 1, "deg", 5))
        columns.append(padded("\(fix.mode == .threeD ? "3D" : "2D") \(words(fix.quality))", 15))
        columns.append(satellites)
        return columns.joined(separator: "  ")
    }

    private static func words(_ quality: FixQuality) -> String {
        switch quality {
        case .invalid: "invalid"
        case .autonomous: "autonomous"
        case .differential: "differential"
        case .precise: "precise"
        case .rtkFixed: "RTK fixed"
        case .rtkFloat: "RTK float"
        case .estimated: "estimated"
        case .manual: "manual"
        case .simulated: "simulated"
        }
    }

    private static func angle(
        _ degrees: Double, _ plus: String, _ minus: String, _ width: Int
    ) -> String {
        "\(fixed(abs(degrees), 7, width)) \(degrees < 0 ? minus : plus)"
    }

    private static func number(
        _ value: Double?, _ decimals: Int, _ unit: String, _ width: Int, sign: String = ""
    ) -> String {
        guard let value else {
            return String(repeating: " ", count: sign.count + width - 1) + "- " + unit
        }
        return "\(sign)\(fixed(value, decimals, width)) \(unit)"
    }

    private static func fixed(_ value: Double, _ decimals: Int, _ width: Int) -> String {
        var bytes: [UInt8] = []
        bytes.append(fixed: value, decimals: decimals)
        let text = String(decoding: bytes, as: UTF8.self)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
