// SPDX-License-Identifier: MIT

/// The help screen, and the keys in the last row.
package enum Help {
    /// Returns the keys and their effects for the last row, most important first. `hasTabs` is
    /// whether there are several receivers, `hasMore` whether the help can be scrolled down.
    static func short(
        _ settings: ScreenSettings, hasTabs: Bool, hasMore: Bool
    ) -> [(String, String)] {
        if settings.isHelpShown {
            return [("any key", "back")]
                + (hasMore ? [(settings.isASCII ? "Dn" : "↓", "more")] : [])
        }
        let sideways = settings.page == .sentences ? [("< >", "sideways")] : []
        return [("?", "help"), ("q", "quit"), ("v", "view")] + sideways
            + (hasTabs ? [("Tab", "receiver")] : [])
            + [("p", "position"), ("u", "units"), ("s", "sort"), ("f", "freeze")]
    }

    /// Returns all keys and their effects.
    package static func keys(isASCII: Bool) -> [(String, String)] {
        [
            ("p", "position: decimal, minutes, DMS, UTM, MGRS, Maidenhead"),
            ("u", "units: metric, imperial, nautical"),
            (
                isASCII ? "v V Rt Lt" : "v V → ←",
                "next, previous view: overview, sky, signals, satellites, track, receiver, sentences"
            ),
            (
                isASCII ? "Up Dn k j" : "↑ ↓ k j",
                "scroll satellites, older sentences, this help"
            ),
            ("PgUp PgDn", "scroll ten rows; Home, End: to the start, the end"),
            ("< > , .", "scroll long sentences sideways"),
            ("s", "sort satellites by number, signal, elevation"),
            ("f Space", "freeze or continue the display"),
            ("Tab 1-9", "next receiver, receiver 1 to 9; Shift-Tab: previous receiver"),
            ("^L", "redraw the screen"),
            ("? h", "this help"),
            ("q Q", "quit; here: close the help"),
        ]
    }

    /// The panels with their contents, in the order of the views.
    private static let panels = [
        ("Position", "position, altitude, speed, course"),
        ("Fix", "quality and accuracy; with several receivers, the vote"),
        ("Time", "the receiver's time, and the system's clock"),
        ("Stream", "rate, latency and errors of the messages"),
        ("Anchor", "the anchor watch (--anchor)"),
        ("Waypoint", "bearing and distance of the destination (--to)"),
        ("Instruments", "heading, depth, wind, water, if they are sent"),
        ("Sky", "the satellites' directions, north at the top"),
        ("Signals", "the satellites' C/N0 in dB-Hz"),
        ("Satellites", "a table of all values of the satellites"),
        ("Track", "the way of the last ten minutes"),
        ("Trip", "time, distance and speeds (view: track)"),
        ("Receiver", "integrity, interference, protection (view: receiver)"),
        ("Mix", "how often each message arrives (view: receiver)"),
        ("Sentences", "the last messages (view: sentences)"),
    ]

    static func draw(_ settings: ScreenSettings, width: Int, height: Int) -> Canvas {
        let glyphs = settings.glyphs
        let keys = keys(isASCII: glyphs.isASCII)
        let signs = [
            ("G R E", "satellites of GPS, GLONASS, Galileo"),
            ("C J I S", "of BeiDou, QZSS, NavIC, SBAS"),
            (glyphs.used, "a satellite that the fix uses; its bar is thick"),
            (glyphs.visible, "a satellite in view only; its bar is thin"),
            (glyphs.plusMinus, "radius in metres that contains the true position (68 %)"),
            ("H V P", "horizontal, vertical, position DOP; smaller is better"),
            ("dim", "outdated values"),
        ]
        // The panels are last, so that most signs are visible at 80x24 without scrolling.
        let parts = [("Keys", keys), ("Signs", signs), ("Panels", panels)].map { title, rows in
            (title, rows.map { ($0.0, wrapped($0.1, width - column - 1)) })
        }
        let rows = parts.reduce(0) { $0 + 1 + $1.1.reduce(0) { $0 + $1.1.count } }
        var whole = Canvas(width: width, height: rows + parts.count - 1)
        var y = 0
        for (title, rows) in parts {
            whole.write(String(repeating: glyphs.rule, count: width), 0, y, .dim)
            whole.write(" \(title) ", 2, y, .bold)
            y += 1
            for (sign, lines) in rows {
                whole.write(sign, 2, y, .bold)
                for (index, line) in lines.enumerated() { whole.write(line, column, y + index) }
                y += lines.count
            }
            y += 1
        }
        var canvas = Canvas(width: width, height: height)
        canvas.hiddenRows = max(0, whole.height - height)
        canvas.place(whole, 0, -min(canvas.hiddenRows, settings.scroll))
        return canvas
    }

    /// The column at which the explanations begin.
    private static let column = 14

    /// Returns a string in lines of at most `width` characters. Longer words are not broken.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
