// SPDX-License-Identifier: MIT

/// What the keys do.
enum Help {
    /// For the last line, the most important first.
    static func short(hasTabs: Bool) -> [(String, String)] {
        [
            ("?", "help"), ("q", "quit"), ("p", "position"), ("u", "units"), ("v", "view"),
            ("s", "sort"), ("f", "freeze"),
        ] + (hasTabs ? [("Tab", "receiver")] : [])
    }

    static func draw(_ settings: ScreenSettings, width: Int, height: Int) -> Canvas {
        let glyphs = settings.glyphs
        let keys = [
            ("p", "position as decimal, DMS, UTM, MGRS, Maidenhead"),
            ("u", "units: metric, imperial, nautical"),
            (glyphs.isASCII ? "v < >" : "v ← →", "view: overview, satellites, track, sentences"),
            (
                glyphs.isASCII ? "Up Dn PgUp" : "↑ ↓ PgUp",
                "what does not fit: satellites, older sentences, this help"
            ),
            ("s", "sort satellites by number, signal, elevation"),
            ("f", "freeze what is shown, and go on"),
            ("Tab 1-9", "another receiver, where there are several"),
            ("^L", "paint the screen anew"),
            ("q", "quit"),
        ]
        let signs = [
            (glyphs.used, "a satellite that the fix uses; its bar is thick"),
            (glyphs.visible, "a satellite in view only; its bar is thin"),
            (glyphs.plusMinus, "metres that hold the true place in 68 of 100 cases"),
            ("H V P", "DOP in the plane, in height, in space; small is good"),
            ("dim", "values that are not of now"),
        ]
        var whole = Canvas(width: width, height: keys.count + signs.count + 3)
        var y = 0
        for (title, rows) in [("Keys", keys), ("Signs", signs)] {
            whole.write(String(repeating: glyphs.rule, count: width), 0, y, .dim)
            whole.write(" \(title) ", 2, y, .bold)
            for (index, row) in rows.enumerated() {
                whole.write(row.0, 2, y + 1 + index, .bold)
                whole.write(row.1, 14, y + 1 + index)
            }
            y += rows.count + 2
        }
        var canvas = Canvas(width: width, height: height)
        canvas.hiddenRows = max(0, whole.height - height)
        canvas.place(whole, 0, -min(canvas.hiddenRows, settings.scroll))
        return canvas
    }
}
