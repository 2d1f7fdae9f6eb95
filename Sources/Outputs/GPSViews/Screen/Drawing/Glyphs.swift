// SPDX-License-Identifier: MIT

/// The drawing characters, in Unicode or ASCII.
package struct Glyphs: Sendable {
    /// Whether only ASCII may be used.
    package let isASCII: Bool

    /// Creates a set of characters. `isASCII` restricts it to ASCII.
    package init(isASCII: Bool) { self.isASCII = isASCII }

    var rule: String { isASCII ? "-" : "─" }
    var used: String { isASCII ? "*" : "●" }
    var visible: String { isASCII ? "o" : "○" }
    var degree: String { isASCII ? "" : "°" }
    var plusMinus: String { isASCII ? "+-" : "±" }
    var separator: String { isASCII ? " - " : " · " }
    var ring: String { isASCII ? "." : "·" }
    var unknown: String { isASCII ? "-" : "–" }
    var usedBar: String { isASCII ? "#" : "█" }
    var visibleBar: String { isASCII ? "|" : "│" }
    var here: String { isASCII ? "@" : "◉" }
    var up: String { isASCII ? "up" : "↑" }
    var down: String { isASCII ? "down" : "↓" }

    /// Returns the character for the top of a bar whose last cell is filled to `eighths` of its
    /// height. The bar is thick if `isUsed` is `true`, otherwise thin.
    func end(ofBar eighths: Int, isUsed: Bool) -> String {
        if isASCII { return eighths >= 4 ? (isUsed ? "#" : "|") : " " }
        guard isUsed else { return eighths >= 4 ? "╷" : " " }
        let blocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return blocks[min(8, max(0, eighths))]
    }

    /// Returns an arrow (or, in ASCII, letters) for the direction nearest to a course in degrees.
    /// There are eight directions.
    func arrow(_ course: Double) -> String {
        let arrows =
            isASCII
            ? ["N ", "NE", "E ", "SE", "S ", "SW", "W ", "NW"]
            : ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
        return arrows[Self.sector(course, of: 8)]
    }

    /// Returns the compass point, such as `NNE`, that is nearest to a course in degrees. There are
    /// sixteen points.
    static func wind(_ course: Double) -> String {
        let winds = [
            "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
            "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
        ]
        return winds[sector(course, of: 16)]
    }

    private static func sector(_ course: Double, of count: Int) -> Int {
        guard course.isFinite, abs(course) < 1e6 else { return 0 }
        let sector = Int((course / 360 * Double(count)).rounded()) % count
        return sector < 0 ? sector + count : sector
    }
}
