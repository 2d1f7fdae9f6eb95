// SPDX-License-Identifier: MIT
package import GNSS

/// Formats one readable line per fix, for logs, grep and awk. Every column is one word, and a dash
/// represents a missing value. A line usually has at most 80 characters. It is longer if a receiver
/// is accurate to centimetres, because lengths then have two decimals.
///
///     SIMULATED 2026-11-20T13:46:16.0Z 48.20749N 16.36338E 171m 3m 10.0m/s  90 20 3D
package struct FixLines: Sendable {
    /// The units of length and speed; `nil` for SI units.
    private let units: Units?
    /// The number of decimals of seconds: one until a receiver sends more, then three.
    private var timeDecimals = 1
    /// The number of decimals of an accuracy: zero until an accuracy is below a metre, then one,
    /// and two once `hasCentimetres` is `true`.
    private var accuracyDecimals = 0
    /// Whether a receiver has reported an accuracy below half a metre.
    private var hasCentimetres = false

    /// Creates a writer that uses SI units.
    package init() { units = nil }

    /// Creates a writer that uses the given units, or SI units if `units` is `nil`.
    package init(units: Units?) { self.units = units }

    /// Returns the line for a fix. Its columns are the origin (`LIVE`, `REPLAY`, `SIMULATED` or
    /// `UNKNOWN`), time, latitude, longitude, altitude, accuracy, speed, course, satellites used,
    /// and the type of fix. The type is `3D`, `2D`, `no-fix` or a special quality (`DGPS`, `RTK`,
    /// `float`, `PPS`, `DR` for dead reckoning, `manual`, `invalid`). `WARNING` or `ALARM` is
    /// appended if there is evidence that the position is false; see `docs/integrity.md`. So are the
    /// receivers that a vote has found to disagree, and why: `OUTVOTED: mast (503 m away)`, or
    /// `DISPUTED: …` if there is no majority.
    ///
    /// For an attitude without a satellite receiver, the line contains the origin, headings (`T`
    /// true, `M` magnetic), pitch and roll in degrees, heave in metres, and the rate of turn in
    /// degrees per minute.
    ///
    /// `inView` is the number of satellites in the last complete list, or 0 if there has been none.
    package mutating func line(for fix: Fix, inView: Int, origin: DataOrigin) -> String {
        if let accuracy = fix.accuracy.horizontal {
            hasCentimetres = hasCentimetres || accuracy < 0.5
            let isFine = accuracyDecimals > 0 || accuracy < 0.95
            accuracyDecimals = hasCentimetres ? 2 : isFine ? 1 : 0
        }
        if fix.isAttitudeOnly {
            let clock = "-".leading(21 + timeDecimals)
            return [Self.label(fix, origin), clock, Self.text(of: fix.attitude)].joined(
                separator: " ")
        }
        let hasPosition = fix.coordinate != nil
        let decimals = hasCentimetres ? 2 : 0
        let (length, speed) = (units?.height ?? (1, "m"), units?.speed ?? (1, "m/s"))
        let columns = [
            Self.label(fix, origin), time(fix).leading(21 + timeDecimals),
            angle(fix.coordinate?.latitude, "N", "S"), angle(fix.coordinate?.longitude, "E", "W"),
            Self.number(hasPosition ? fix.altitude : nil, length, decimals, digits: 3),
            Self.number(
                hasPosition ? fix.accuracy.horizontal : nil, length, accuracyDecimals, digits: 1),
            Self.number(hasPosition ? fix.speed : nil, speed, 1, digits: 2),
            Self.course(hasPosition ? fix.course : nil),
            Self.satellites(fix, inView),
            Self.kind(fix)
                + (fix.integrity?.doubt.map { " \($0.rawValue.uppercased())" } ?? "")
                + (fix.vote?.warning.map { " \($0)" } ?? ""),
        ]
        return columns.joined(separator: " ")
    }

    private static func label(_ fix: Fix, _ origin: DataOrigin) -> String {
        (fix.quality == .simulated ? .simulated : origin).rawValue.uppercased()
    }

    /// Returns the known values of an attitude: `heading 231.3T 230.0M pitch 0.1 roll 3.9 turn
    /// 0.1/min`.
    private static func text(of attitude: Attitude) -> String {
        func text(_ value: Double?, _ sign: String) -> String? {
            value.map { String($0, decimals: 1) + sign }
        }
        func direction(_ value: Double?, _ sign: String) -> String? {
            value.map { String(direction: $0, decimals: 1) + sign }
        }
        let headings = [direction(attitude.heading, "T"), direction(attitude.magneticHeading, "M")]
        let parts: [(String, String?)] = [
            (
                "heading",
                headings.contains { $0 != nil }
                    ? headings.compactMap(\.self).joined(separator: " ") : nil
            ),
            ("pitch", text(attitude.pitch, "")), ("roll", text(attitude.roll, "")),
            ("heave", text(attitude.heave, "m")),
            ("turn", text(attitude.rateOfTurn.map { $0 * 60 }, "/min")),
        ]
        return parts.compactMap { name, text in text.map { "\(name) \($0)" } }.joined(
            separator: "  ")
    }

    /// Returns the time, or the time of day if the date is unknown.
    private mutating func time(_ fix: Fix) -> String {
        guard let time = fix.timeOfDay ?? fix.time?.time else { return "-" }
        if time.nanosecond % 100_000_000 != 0 { timeDecimals = 3 }
        let fraction =
            timeDecimals == 1 ? time.nanosecond / 100_000_000 : time.nanosecond / 1_000_000
        let date = fix.time.map { $0.description.prefix(11) } ?? ""
        return date + time.clock + "." + String(fraction, width: timeDecimals)
            + "Z"
    }

    private func angle(_ degrees: Double?, _ plus: String, _ minus: String) -> String {
        let decimals = hasCentimetres ? 7 : 5
        let text = degrees.map {
            String(abs($0), decimals: decimals) + ($0 < 0 ? minus : plus)
        }
        return (text ?? "-").leading(4 + decimals)
    }

    private static func number(
        _ value: Double?, _ unit: (size: Double, sign: String), _ decimals: Int, digits: Int
    ) -> String {
        let text = value.map { String($0 / unit.size, decimals: decimals) + unit.sign } ?? "-"
        return text.leading(digits + (decimals > 0 ? 1 + decimals : 0) + unit.sign.count)
    }

    private static func course(_ degrees: Double?) -> String {
        let text = degrees.map { String(direction: $0, decimals: 0) } ?? "-"
        return text.leading(3)
    }

    /// Returns the number of satellites used or, without a position, the numbers used and in view:
    /// `0/7`.
    private static func satellites(_ fix: Fix, _ inView: Int) -> String {
        let used = fix.satellitesUsed.map(String.init) ?? "-"
        let isLooking = fix.coordinate == nil && inView > 0
        return (isLooking ? "\(used)/\(inView)" : used).leading(2)
    }

    /// Returns the type of fix: the dimensions, or a special quality, to which `2D/` is prefixed if
    /// the fix is 2D.
    private static func kind(_ fix: Fix) -> String {
        guard fix.coordinate != nil else { return "no-fix" }
        let dimensions = fix.mode == .threeD ? "3D" : "2D"
        guard let source = fix.quality.word else { return dimensions }
        return fix.mode == .threeD ? source : "\(dimensions)/\(source)"
    }
}
