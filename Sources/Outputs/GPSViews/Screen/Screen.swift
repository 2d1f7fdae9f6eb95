// SPDX-License-Identifier: MIT
import GPSReceivers

// Re-exported, because every panel formats numbers with functions of GNSS.
@_exported public import GNSS

/// The whole screen: title, banner, panels and keys.
package enum Screen {
    /// Draws the screen of the selected receiver for any screen size.
    package static func draw(
        _ models: [ScreenModel], _ settings: ScreenSettings, at now: ClockReading, width: Int,
        height: Int
    ) -> Canvas {
        var canvas = Canvas(width: width, height: height)
        guard !models.isEmpty, canvas.width > 0, canvas.height > 0 else { return canvas }
        let selected = min(max(0, settings.selected), models.count - 1)
        let scene = Scene(model: models[selected], settings: settings, now: now)
        let hasKeys = height >= 8
        drawTitle(models.map(\.name), selected, scene, on: &canvas)
        if height > 1 {
            let banner = Banner(scene)
            canvas.fill(row: 1, banner.style)
            canvas.write(shortened: banner.text, 1, 1, banner.style)
        }
        let rows = canvas.height - (hasKeys ? 3 : 2)
        if rows > 0 {
            let body =
                settings.isHelpShown
                ? Help.draw(settings, width: canvas.width, height: rows)
                : Layout.draw(scene, width: canvas.width, height: rows)
            canvas.place(body, 0, 2)
        }
        if hasKeys, let message = settings.message {
            canvas.write(shortened: message, 1, canvas.height - 1, .bold)
        } else if hasKeys {
            let keys = Help.short(
                settings, hasTabs: models.count > 1, hasMore: settings.scroll < canvas.hiddenRows)
            drawKeys(keys, on: &canvas)
        }
        return canvas
    }

    private static func drawTitle(
        _ names: [String], _ selected: Int, _ scene: Scene, on canvas: inout Canvas
    ) {
        canvas.fill(row: 0, .bar)
        let seconds = scene.now.unix / 1_000_000_000 + Int64(scene.settings.zone.offset)
        let clock = TimeOfDay(secondsOfDay: Int(seconds)).clock
        let marks =
            (scene.settings.isRecording ? " REC" : "") + (scene.settings.isFrozen ? " FROZEN" : "")
        let address = scene.settings.pageAddress.map { " \($0)" } ?? ""
        var right = "\(address)\(marks) \(clock) "
        if canvas.width < right.count + 24 { right = "\(marks) \(clock) " }
        // A narrow screen has no clock, but still shows that it is frozen or that the receiver is
        // recorded.
        let hasClock = !marks.isEmpty || canvas.width >= right.count + 24
        let room = canvas.width - 1 - (hasClock ? right.count : 0)
        var x = 1
        for piece in TabBar(names, selected, room: room).pieces {
            x = canvas.write(piece.text, x, 0, piece.isSelected ? Style.bar.bold : .bar)
        }
        if hasClock { canvas.write(right, endingAt: canvas.width, 0, Style.bar.bold) }
    }

    private static func drawKeys(_ keys: [(String, String)], on canvas: inout Canvas) {
        let y = canvas.height - 1
        var x = 1
        for (key, word) in keys {
            guard x + key.count + word.count + 1 <= canvas.width else { break }
            x = canvas.write(key, x, y, .bold)
            x = canvas.write(" \(word)", x, y, .dim) + 2
        }
    }
}

/// The names of the receivers in the title row: the selected one, and as many others next to it as
/// fit.
private struct TabBar {
    /// A part of the row: the label of a receiver, or a mark for omitted ones.
    struct Piece: Hashable {
        let text: String
        let isSelected: Bool
    }

    private(set) var pieces: [Piece] = []

    /// The minimum length to which a name is shortened.
    private static let minimumNameLength = 12

    init(_ names: [String], _ selected: Int, room: Int) {
        guard names.count > 1 else {
            pieces = [
                Piece(text: " " + Self.shortened(names.first ?? "", room - 1), isSelected: true)
            ]
            return
        }
        var labels = Self.labels(names, limit: max(Self.minimumNameLength, room - 6))
        // If not all labels fit, long names are shortened before any are omitted.
        if labels.reduce(0, { $0 + $1.count + 2 }) > room {
            let fitting = room / names.count - 5
            let isEnough = fitting >= Self.minimumNameLength
            labels = Self.labels(
                names, limit: isEnough ? fitting : max(Self.minimumNameLength, room / 4 - 5))
        }
        let shown = Self.range(labels.map { $0.count + 2 }, around: selected, room: room)
        if shown.lowerBound > 0 { pieces.append(Piece(text: "<", isSelected: false)) }
        for index in shown {
            let isSelected = index == selected
            let text = isSelected ? "[\(labels[index])]" : " \(labels[index]) "
            pieces.append(Piece(text: text, isSelected: isSelected))
        }
        if shown.upperBound < labels.count { pieces.append(Piece(text: ">", isSelected: false)) }
    }

    private static func labels(_ names: [String], limit: Int) -> [String] {
        names.enumerated().map { "\($0 + 1):\(shortened($1, limit))" }
    }

    /// Returns the end of a name that is longer than `limit`, because the ends of names differ
    /// most: `..by-id/usb-u-blox_7-if00`.
    private static func shortened(_ name: String, _ limit: Int) -> String {
        name.count <= limit ? name : ".." + name.suffix(max(0, limit - 2))
    }

    /// Returns the range of labels that fit, extended from the selected one to both sides.
    private static func range(_ widths: [Int], around selected: Int, room: Int) -> Range<Int> {
        var range = selected..<selected + 1
        var width = widths[selected]
        while true {
            // Reserves space for the marks of omitted labels.
            let marks = 2
            let (next, previous) = (range.upperBound, range.lowerBound - 1)
            if next < widths.count, width + widths[next] + marks <= room {
                width += widths[next]
                range = range.lowerBound..<next + 1
            } else if previous >= 0, width + widths[previous] + marks <= room {
                width += widths[previous]
                range = previous..<range.upperBound
            } else {
                return range
            }
        }
    }
}

/// Arranges the panels on the screen, depending on its size.
private enum Layout {
    /// A column of panels from top to bottom, most important first.
    private struct Column {
        let width: Int
        let panels: [any Panel]
    }

    /// The minimum width of the first column, which shows position, fix, time and stream.
    private static let figures = 38

    /// Draws the panels of the current view that fit.
    static func draw(_ scene: Scene, width: Int, height: Int) -> Canvas {
        var canvas = Canvas(width: width, height: height)
        var x = 0
        for column in columns(scene, width: width, height: height) {
            let stack = drawn(column, scene, height: height)
            canvas.place(stack, x, 0)
            x += column.width + 2
        }
        return canvas
    }

    private static func columns(_ scene: Scene, width: Int, height: Int) -> [Column] {
        let texts: [any Panel] =
            [PositionPanel()] + NavigationPanel.all(scene.model.navigation)
            + InstrumentsPanel.all(scene)
            + [FixPanel(), TimePanel(), StreamPanel()]
        let view = panels(of: scene.settings.page, height: height)
        guard width >= 2 * figures else {
            if !view.isEmpty { return [Column(width: width, panels: view)] }
            return [Column(width: width, panels: texts + [BarsPanel(), SkyPanel()])]
        }
        if [.sky, .signals].contains(scene.settings.page) {
            return [Column(width: width, panels: view)]
        }
        let rest = width - figures - 2
        if !view.isEmpty {
            return [Column(width: figures, panels: texts), Column(width: rest, panels: view)]
        }
        guard rest >= 2 * figures else {
            let panels: [any Panel] =
                height >= 32
                ? [SkyPanel(), BarsPanel(), TrackPanel()] : [SkyPanel(), BarsPanel()]
            return [
                Column(width: figures, panels: texts + [SentencesPanel()]),
                Column(width: rest, panels: panels),
            ]
        }
        // The sky and the track are roughly square if possible.
        let middle = max(figures, min(rest * 2 / 5, height))
        let right = rest - middle - 2
        // Sentences are in the column where most of them fit; the longest have 82 characters.
        let lines: [any Panel] = [SentencesPanel()]
        let isWide = right > 76
        return [
            Column(width: figures, panels: texts + (isWide ? [] : lines)),
            Column(width: middle, panels: [SkyPanel(), TrackPanel()]),
            Column(width: right, panels: [BarsPanel(), TablePanel()] + (isWide ? lines : [])),
        ]
    }

    /// Returns the panels of a view, without the panels of the first column. Returns none for the
    /// overview, which has its own layout.
    private static func panels(of page: ScreenSettings.Page, height: Int) -> [any Panel] {
        switch page {
        case .overview: []
        // A circle with only six rows would be unreadable, so the satellites are listed instead.
        case .sky: height > SkyPanel().fallbackRows ? [SkyPanel()] : [TablePanel()]
        case .signals: [BarsPanel()]
        case .satellites: [TablePanel()]
        case .ephemerides: [EphemeridesPanel(), MeasurementsPanel()]
        case .track: [TrackPanel(), TripPanel()]
        case .receiver: [ReceiverPanel(), MixPanel()]
        case .sentences: [SentencesPanel(), MixPanel()]
        }
    }

    private static func drawn(_ column: Column, _ scene: Scene, height: Int) -> Canvas {
        var shown: [(panel: any Panel, rows: Int)] = []
        var left = height
        // If there are very few rows, only the position is shown.
        if let position = column.panels.first as? PositionPanel, position.minimumRows + 1 > height {
            shown = [(position, height)]
            left = 0
        }
        for panel in column.panels where panel.minimumRows + 1 <= left {
            shown.append((panel, panel.minimumRows + 1))
            left -= panel.minimumRows + 1
        }
        if shown.isEmpty {
            let panel = column.panels.first { $0.fallbackRows + 1 <= left } ?? column.panels.first
            shown = panel.map { [($0, left)] } ?? []
            left = 0
        }
        // The remaining rows are distributed one by one among the panels that can use them.
        var isGiven = true
        while left > 0, isGiven {
            isGiven = false
            for index in shown.indices where left > 0 {
                let useful = shown[index].panel.usefulRows(scene).map { $0 + 1 } ?? height
                guard shown[index].rows < useful else { continue }
                shown[index].rows += 1
                left -= 1
                isGiven = true
            }
        }
        var canvas = Canvas(width: column.width, height: height)
        var y = 0
        for (panel, rows) in shown {
            canvas.place(panel.drawn(scene, width: column.width, height: rows), 0, y)
            y += rows
        }
        return canvas
    }
}

/// The screen's second row. It shows problems or, if there are none, the quality of the fix.
private struct Banner {
    let text: String
    let style: Style

    init(_ scene: Scene) {
        let (model, glyphs) = (scene.model, scene.settings.glyphs)
        var parts: [String] = []
        if model.isSimulated { parts.append("SIMULATED") }
        if model.origin == .replay { parts.append("REPLAY") }
        // An unknown origin is only worth a warning if there is a position.
        let isUnknown = model.origin == .unknown && model.position != nil
        if isUnknown { parts.append("ORIGIN UNKNOWN") }
        let (state, role) = Self.state(scene)
        parts += state
        // A disconnected receiver has no current position whose integrity could be doubtful.
        let integrity = model.condition.isOpen ? model.fix?.integrity : nil
        if let integrity, let doubt = integrity.doubt {
            let state = "INTEGRITY \(doubt.rawValue.uppercased())"
            parts = [state] + integrity.reasons.prefix(1).map(\.text) + parts
        }
        let anchor = model.navigation?.anchor
        if let anchor, anchor.isAlarm {
            let state = anchor.condition == .drag ? "ANCHOR DRAGS" : "ANCHOR WATCH DOES NOT WORK"
            parts = [state, Self.cause(anchor, scene.settings.units)].compactMap(\.self) + parts
        }
        let dissent = model.condition.isOpen ? model.fix?.vote?.warning : nil
        if let dissent { parts.insert(dissent, at: 0) }
        if let shownProblem = model.shownProblem { parts.append(shownProblem) }
        if let receiver = model.chosenReceiver { parts.append("only \(receiver) of several") }
        text = parts.joined(separator: glyphs.separator)
        let isWarning =
            role == .poor || model.shownProblem != nil || integrity?.state == .alarm
            || anchor?.isAlarm == true
        let needsWarning =
            model.isSimulated || model.origin == .replay || isUnknown
            || integrity?.state == .warning || dissent != nil
        style =
            isWarning
            ? Style(.poor).bold.reversed
            : needsWarning ? Style(.fair).bold.reversed : Style(role).bold
    }

    /// Returns the cause of an anchor alarm: the distance from an anchor that drags, otherwise the
    /// reason why the anchor watch does not work. Returns `nil` if the cause is unknown.
    private static func cause(_ anchor: AnchorState, _ units: Units) -> String? {
        guard anchor.condition == .drag else { return anchor.reason }
        let radius = units.length(anchor.radius, decimals: 0)
        return anchor.distance.map {
            "\(units.length($0, decimals: 0)) away, the circle is \(radius)"
        }
    }

    private static func state(_ scene: Scene) -> ([String], Style.Role) {
        let (model, now) = (scene.model, scene.now)
        let past = model.conditionChanged.map { Elapsed.text(now.seconds(since: $0)) } ?? ""
        switch model.condition {
        case .searching: return (["WAITING FOR A RECEIVER"], .poor)
        case .waiting(let error): return (["WAITING FOR A RECEIVER", error.waitingReason], .poor)
        case .lost: return (["RECEIVER IS GONE \(past)", "waiting for it to come back"], .poor)
        case .ended(let ending):
            if let error = ending.error { return (["ENDED", "\(error)"], .poor) }
            // If a live source ends, it is a pipe read with `--live`.
            return ([model.origin == .live ? "END OF THE INPUT" : "END OF THE RECORDING"], .fair)
        case .open, .silent: break
        }
        if let age = model.staleness(at: now) {
            let isSilent = model.stream.lines.last.map { now.seconds(since: $0.moment) > 2 } ?? true
            let why = isSilent ? "no data arrives" : model.fix?.mode == .noFix ? "NO FIX" : ""
            return (
                ["FIX IS OLD (\(Int(nearest: age.rounded(.down))) s)", why].filter { !$0.isEmpty },
                .poor
            )
        }
        guard let fix = model.fix else {
            return ([model.stream.sentences == 0 ? "NO MESSAGE YET" : "NO FIX YET"], .poor)
        }
        guard fix.mode > .noFix else {
            return (["NO FIX"] + [strongest(model)].compactMap(\.self), .poor)
        }
        return (fixSummary(fix, scene), FixQualityText.style(fix, isPast: false).role)
    }

    /// Returns the number of received satellites and the best C/N0, which may explain why there is
    /// no fix.
    private static func strongest(_ model: ScreenModel) -> String? {
        guard !model.satellites.isEmpty else { return "no satellites in view" }
        let tracked = model.satellites.compactMap(\.cn0)
        guard let best = tracked.max() else {
            return "\(model.satellites.count) in view, none received"
        }
        let count = Plural.text(tracked.count, "satellite")
        return "\(count) received, the best at \(String(best, decimals: 0)) dB-Hz"
    }

    private static func fixSummary(_ fix: Fix, _ scene: Scene) -> [String] {
        let accuracy = fix.accuracy.horizontal.map {
            scene.settings.glyphs.plusMinus + scene.settings.units.accuracy($0)
        }
        let count = fix.satellitesUsed.map { "\($0) sats" }
        let dimensions = fix.mode == .threeD ? "3D fix" : "2D fix"
        let kind = fix.quality == .simulated ? nil : FixQualityText.kind(fix.quality)
        return [dimensions, kind, accuracy, count].compactMap(\.self)
    }
}

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
                "next, previous view: overview, sky, signals, satellites, ephemerides, track, receiver, sentences"
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
        ("Ephemerides", "orbits that the satellites sent (view: ephemerides)"),
        ("Measurements", "raw values of the last epoch (view: ephemerides)"),
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
