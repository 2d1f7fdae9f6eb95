// SPDX-License-Identifier: MIT
public import Devices
public import GNSS

/// One readable line per fix, in columns that line up: made for logs and grep.
public struct TextReports: Sendable {
    /// Receivers that send fractions of seconds do so in most of their fixes.
    private var hasFractions = false

    /// Starts with columns as narrow as they can be.
    public init() {}

    /// The line of a fix; data that is not live says so first. What was not said is a dash.
    ///
    /// `inView` is the number of satellites in the last complete list, 0 where none has come.
    public mutating func line(for fix: Fix, inView: Int, origin: DataOrigin) -> String {
        var columns: [String] = []
        let isSimulated = origin == .simulated || fix.quality == .simulated
        if isSimulated { columns.append("SIMULATED") }
        if origin == .replay, !isSimulated { columns.append("REPLAY") }
        columns.append(time(fix.time))
        guard let position = fix.coordinate else {
            columns += ["no fix", Self.satellites(fix.satellitesUsed, inView)]
            return Self.joined(columns)
        }
        columns.append(Self.angle(position.latitude, "N", "S", 10))
        columns.append(Self.angle(position.longitude, "E", "W", 11))
        columns.append(Self.number(fix.altitude, 1, "m", 6))
        columns.append(Self.number(fix.accuracy.horizontal, 1, "m", 4, sign: "+-"))
        columns.append(Self.number(fix.speed, 1, "m/s", 4))
        columns.append(Self.number(fix.course, 0, "deg", 3))
        columns.append(fix.mode == .threeD ? "3D" : "2D")
        columns.append(Self.satellites(fix.satellitesUsed, inView))
        columns.append(Self.words(fix.quality))
        return Self.joined(columns)
    }

    private mutating func time(_ time: UTCTime?) -> String {
        guard let time else { return Self.padded("no date", hasFractions ? 24 : 20) }
        let text = time.description
        let zeros = ".000Z"
        if !text.hasSuffix(zeros) { hasFractions = true }
        return hasFractions ? text : text.dropLast(zeros.count) + "Z"
    }

    private static func satellites(_ used: Int?, _ inView: Int) -> String {
        switch (used, inView) {
        case (nil, 0): ""
        case (nil, _): "\(inView) sats in view"
        case (let used?, 0): "\(padded(used, 2)) sats"
        case (let used?, _): "\(padded(used, 2))/\(inView) sats"
        }
    }

    /// What there is to say beyond a satellite fix, and what the line's first word has not said.
    private static func words(_ quality: FixQuality) -> String {
        switch quality {
        case .autonomous, .simulated: ""
        case .invalid: "invalid"
        case .differential: "diff"
        case .precise: "precise"
        case .rtkFixed: "RTK"
        case .rtkFloat: "float"
        case .estimated: "estimated"
        case .manual: "manual"
        }
    }

    private static func joined(_ columns: [String]) -> String {
        columns.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func angle(
        _ degrees: Double, _ plus: String, _ minus: String, _ width: Int
    ) -> String {
        leading(String(abs(degrees), decimals: 7), width) + (degrees < 0 ? minus : plus)
    }

    private static func number(
        _ value: Double?, _ decimals: Int, _ unit: String, _ width: Int, sign: String = ""
    ) -> String {
        let text = value.map { sign + String($0, decimals: decimals) + unit } ?? "-"
        return leading(text, sign.count + width + unit.count)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        leading(String(value), width)
    }

    private static func leading(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
