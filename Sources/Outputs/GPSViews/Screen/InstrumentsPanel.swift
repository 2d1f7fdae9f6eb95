// SPDX-License-Identifier: MIT
import GNSS

/// The receiver's own assessment of its signals and errors, and the result of the integrity
/// monitor.
struct ReceiverPanel: Panel {
    let title = "Receiver"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? {
        let fix = scene.model.fix
        let known = FixProperty.reported.count { property in
            property.label?.isRare == false || fix.flatMap { property.text($0) } != nil
        }
        return (fix?.vote == nil ? 7 : 8) + known + (fix?.corrections.types == nil ? 0 : 1)
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (units, glyphs) = (scene.settings.units, scene.settings.glyphs)
        // Interference and similar values belong to the current epoch, even without a fix, because
        // they may explain why there is none.
        let (now, fix) = (scene.model.fix, scene.fix)
        var rows = Rows(scene, isPast: scene.isEpochPast)
        rows.add("Integrity", now?.integrity.map { $0.summary }, now?.integrity.map(Self.style))
        if let vote = now?.vote { rows.add("Vote", Self.text(vote), vote.style) }
        for property in FixProperty.reported {
            guard let label = property.label else { continue }
            let source = label.needsPosition ? fix : now
            let text = source.flatMap { property.text($0) }
            if text == nil, label.isRare { continue }
            rows.add(label.text, text, source.flatMap { property.word($0)?.style })
        }
        if let types = now?.corrections.types { rows.add("Messages", types) }
        let deviation = fix?.standardDeviation
        rows.add(
            "Deviation",
            Self.list(
                [
                    ("N", deviation?.latitude), ("E", deviation?.longitude),
                    ("U", deviation?.altitude),
                ], units.accuracy))
        rows.add(
            "Protection",
            fix?.protectionLevel.map {
                "\(units.accuracy(Double($0.horizontal))), height \(units.accuracy(Double($0.vertical)))"
            })
        let accuracy = fix?.accuracy
        rows.add("Speed", accuracy?.speed.map { "\(glyphs.plusMinus)\(units.speed($0))" })
        rows.add(
            "Course",
            accuracy?.course.map {
                "\(glyphs.plusMinus)\(String($0, decimals: 1))\(glyphs.degree)"
            })
        rows.add(
            "Time", accuracy?.time.map { "\(glyphs.plusMinus)\(String($0 * 1e9, decimals: 0)) ns" })
        rows.draw(on: &canvas)
    }

    private static func list(
        _ values: [(String, Double?)], _ text: (Double) -> String
    ) -> String? {
        let known = values.compactMap { name, value in value.map { "\(name) \(text($0))" } }
        return known.isEmpty ? nil : known.joined(separator: "  ")
    }

    private static func text(_ vote: Vote) -> String {
        let winner = vote.winner.map { ": \($0)" } ?? ""
        let witnesses =
            vote.witnesses.isEmpty ? "" : " with \(vote.witnesses.joined(separator: ", "))"
        let others =
            vote.dissent.map { "; not \($0)" } ?? ""
        return vote.state.rawValue + winner + witnesses + others
    }

    private static func style(_ integrity: Integrity) -> Style {
        switch integrity.state {
        case .ok: Style(.good)
        case .unknown, .warning: Style(.fair)
        case .alarm: Style(.poor)
        }
    }
}

extension FixProperty.Word {
    fileprivate var style: Style? {
        switch condition {
        case .neutral: nil
        case .good: Style(.good)
        case .fair: Style(.fair)
        case .poor: Style(.poor)
        }
    }
}

extension Vote {
    /// The style of the result: yellow if a receiver disagrees.
    var style: Style {
        switch state {
        case _ where !disagreeing.isEmpty: Style(.fair)
        case .agreed: Style(.good)
        case .disputed, .single, .noPosition: Style()
        }
    }
}

/// The values that instruments send: depth, wind, water, log, rudder and engines.
struct InstrumentsPanel: Panel {
    let title = "Instruments"
    let rows: [(label: String, value: String)]

    var minimumRows: Int { min(3, rows.count) }
    func usefulRows(_ scene: Scene) -> Int? { rows.count }

    /// Returns the panel if there are current values; otherwise an empty list.
    static func all(_ scene: Scene) -> [any Panel] {
        let values = scene.model.instruments.current(at: scene.now)
        guard !values.isEmpty else { return [] }
        return [InstrumentsPanel(rows: rows(values, scene.settings.units, scene.settings.glyphs))]
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        var lines = Rows(scene)
        for row in rows { lines.add(row.label, row.value, .plain) }
        lines.draw(on: &canvas)
    }

    private static func rows(
        _ values: Instruments, _ units: Units, _ glyphs: Glyphs
    ) -> [(label: String, value: String)] {
        let rows: [(String, String?)] = [
            ("Depth", depth(values, units)),
            (
                "Apparent",
                wind(
                    values[.apparentWindSpeed],
                    values[.apparentWindAngle].map { fromBow($0, glyphs) }, units)
            ),
            (
                "True wind",
                wind(values[.trueWindSpeed], trueWindDirection(values, glyphs), units)
            ),
            (
                "Water",
                values[.waterTemperature].map { "\(String($0, decimals: 1)) \(glyphs.degree)C" }
            ),
            ("Log", log(values, units)),
            ("Rudder", values[.rudder].map { side(of: $0, glyphs) }),
            ("Engine", engines(values)),
        ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    /// Returns the depth below the transducer and, if the offset is known, below the keel or the
    /// surface.
    private static func depth(_ values: Instruments, _ units: Units) -> String? {
        values[.depth].map { depth in
            let offset = values[.depthOffset] ?? 0
            let reference = offset < 0 ? ", keel " : ", surface "
            return units.length(depth)
                + (offset == 0 ? "" : reference + units.length(depth + offset))
        }
    }

    private static func wind(_ speed: Double?, _ direction: String?, _ units: Units) -> String? {
        let parts = [speed.map(units.speed), direction].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func fromBow(_ angle: Double, _ glyphs: Glyphs) -> String {
        side(of: angle > 180 ? angle - 360 : angle, glyphs)
    }

    /// Returns the direction of the true wind relative to true north or, if that is unknown, to the
    /// bow or to magnetic north; `nil` if none is known.
    private static func trueWindDirection(_ values: Instruments, _ glyphs: Glyphs) -> String? {
        func degrees(_ direction: Double) -> String {
            "from \(String(direction: direction, decimals: 0))\(glyphs.degree)"
        }
        if let north = values[.trueWindDirection] {
            return "\(degrees(north)) \(Glyphs.wind(north))"
        }
        if let angle = values[.trueWindAngle] { return fromBow(angle, glyphs) }
        return values[.magneticWindDirection].map { "\(degrees($0))M" }
    }

    private static func side(of angle: Double, _ glyphs: Glyphs) -> String {
        let degrees = "\(String(angle.magnitude, decimals: 0))\(glyphs.degree)"
        return angle.magnitude < 0.5 ? degrees : degrees + (angle < 0 ? " port" : " starboard")
    }

    private static func log(_ values: Instruments, _ units: Units) -> String? {
        let parts = [
            values[.waterSpeed].map(units.speed), values[.log].map(units.distance),
            values[.tripLog].map { "trip \(units.distance($0))" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func engines(_ values: Instruments) -> String? {
        let speeds = [values[.portEngineSpeed], values[.engineSpeed]].compactMap(\.self)
        guard !speeds.isEmpty else { return nil }
        return speeds.map { String($0, decimals: 0) }.joined(separator: " | ") + " rpm"
    }
}

/// The state of the anchor watch.
private struct AnchorPanel: Panel {
    let title = "Anchor"
    let minimumRows = 3
    let anchor: AnchorState

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (settings, state) = (scene.settings, anchor)
        let glyphs = settings.glyphs
        var rows = Rows(scene)
        let (words, role): (String, Style.Role) =
            switch state.condition {
            // At most 26 characters fit into a window of 80 columns.
            case .setting where state.anchor == nil:
                (state.reason ?? "waiting until at rest", .fair)
            case .setting: ("waiting for a position", .fair)
            case .ok: ("holds", .good)
            case .drag: ("drags", .poor)
            case .lost: ("watch does not work", .poor)
            }
        rows.add("State", words, Style(role).bold)
        let circle = "of \(settings.units.length(state.radius, decimals: 0))"
        let distance = state.distance.map {
            "\(settings.units.length($0, decimals: 0)) \(circle)"
        }
        rows.add("Distance", distance)
        rows.add("Bearing", glyphs.direction(state.bearing))
        rows.draw(on: &canvas)
    }
}

/// The distance, bearing and time to the next waypoint.
private struct WaypointPanel: Panel {
    let title = "Waypoint"
    let minimumRows = 4
    let waypoint: WaypointState

    func note(_ scene: Scene) -> String {
        waypoint.count > 1 ? "\(waypoint.number) of \(waypoint.count)" : ""
    }

    func usefulRows(_ scene: Scene) -> Int? { 6 }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (settings, state) = (scene.settings, waypoint)
        let (units, glyphs) = (settings.units, settings.glyphs)
        var rows = Rows(scene)
        // In a small panel, the name of the waypoint is left out in favour of the numbers.
        if canvas.height > 4 {
            let name =
                state.waypoint.name ?? settings.notation.text(state.waypoint.coordinate, glyphs)
            rows.add("Name", name.trimmed)
        }
        rows.add("Distance", state.distance.map(units.distance))
        rows.add("Bearing", glyphs.direction(state.bearing))
        let time = state.hasArrived ? "arrived" : state.timeToGo.map { Elapsed.text($0) }
        rows.add("Time to go", time)
        rows.add(
            "Off track",
            state.crossTrackError.map { error in
                let side = error.magnitude < 0.5 ? "" : error < 0 ? " left" : " right"
                return units.distance(error.magnitude) + side
            })
        if canvas.height > 5 { rows.add("Closing", state.velocityMadeGood.map(units.speed)) }
        rows.draw(on: &canvas)
    }
}

/// Creates the panels for the anchor watch and the route.
enum NavigationPanel {
    static func all(_ navigation: Navigation?) -> [any Panel] {
        guard let navigation else { return [] }
        let anchor = navigation.anchor.map { [AnchorPanel(anchor: $0)] as [any Panel] } ?? []
        return anchor + (navigation.waypoint.map { [WaypointPanel(waypoint: $0)] } ?? [])
    }
}

extension Glyphs {
    /// Returns a direction relative to true north as text: degrees, an arrow and the compass point.
    /// Returns `nil` if the direction is not known.
    fileprivate func direction(_ degrees: Double?) -> String? {
        guard let degrees else { return nil }
        let arrow = isASCII ? "" : " \(self.arrow(degrees))"
        return "\(String(direction: degrees, decimals: 0))\(degree)\(arrow) \(Glyphs.wind(degrees))"
    }
}

/// The number of sentences by kind, and of rejected sentences by reason.
struct MixPanel: Panel {
    let title = "Mix"
    let minimumRows = 2

    func usefulRows(_ scene: Scene) -> Int? {
        let stream = scene.model.stream
        return max(2, (stream.mix.count + 2) / 3 + stream.rejections.count)
    }

    func note(_ scene: Scene) -> String {
        let stream = scene.model.stream
        return "\(stream.sentences) sentences, \(stream.rejected) rejected"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let stream = scene.model.stream
        let row = Self.draw(stream.mix, from: 0, on: &canvas)
        Self.draw(stream.rejections, from: row, width: 24, Style(.fair), on: &canvas)
        if stream.mix.isEmpty, stream.rejections.isEmpty {
            canvas.write("nothing yet", 1, 0, .dim)
        }
    }

    /// Draws names and counts in columns, the most frequent first. Returns the first row below
    /// them.
    @discardableResult
    static func draw(
        _ shares: [StreamHistory.Share], from start: Int, width: Int = 12, _ style: Style = .plain,
        on canvas: inout Canvas
    ) -> Int {
        let shares = shares.sorted()
        let columns = max(1, (canvas.width - 1) / width)
        for (index, share) in shares.enumerated() {
            let (x, y) = (1 + index % columns * width, start + index / columns)
            guard y < canvas.height else { break }
            canvas.write(share.name, x, y, .dim)
            canvas.write(String(share.count), endingAt: x + width - 1, y, style)
        }
        return start + (shares.count + columns - 1) / columns
    }
}

/// The last sentences as received, newest at the bottom. The reason for a rejection is shown before
/// the rejected sentence.
struct SentencesPanel: Panel {
    let title = "Sentences"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        guard isView(scene) else { return "" }
        let scroll = scene.settings.scroll
        return scroll > 0 ? "the last \(scroll) lines are below" : "< >: sideways"
    }

    /// Returns whether the panel is the current view. Only then can it be scrolled.
    private func isView(_ scene: Scene) -> Bool { scene.settings.page == .sentences }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let all = scene.model.stream.lines
        if isView(scene) { canvas.hiddenRows = max(0, all.count - canvas.height) }
        let lines = all.dropLast(min(canvas.hiddenRows, scene.settings.scroll))
            .suffix(max(0, canvas.height))
        if isView(scene) {
            let longest = lines.map { reason($0).count + $0.text.unicodeScalars.count }.max() ?? 0
            canvas.hiddenColumns = max(0, longest + 2 - canvas.width)
        }
        let skipped = min(canvas.hiddenColumns, scene.settings.sideways)
        for (row, line) in lines.enumerated() {
            let style = line.rejection == nil ? Style.plain : Style(.poor)
            // The reason does not scroll sideways.
            let x = canvas.write(reason(line), 1, row, style)
            let text = line.text.unicodeScalars.dropFirst(skipped)
            canvas.write(String(String.UnicodeScalarView(text)), x, row, style)
        }
        if lines.isEmpty { canvas.write("nothing yet", 1, 0, .dim) }
    }

    private func reason(_ line: StreamHistory.Line) -> String {
        guard let words = line.rejection?.words else { return "" }
        return line.text.isEmpty ? words : words + ": "
    }
}

/// The rate, latency and rejections of the stream, and its kinds of sentences.
struct StreamPanel: Panel {
    let title = "Stream"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { 9 }

    func note(_ scene: Scene) -> String { "\(scene.model.stream.sentences) sentences" }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let stream = scene.model.stream
        var rows = Rows(scene)
        let rate = scene.model.period.flatMap {
            $0 > 0 ? String(1 / $0, decimals: 2) + " Hz" : nil
        }
        rows.add("Rate", rate)
        // Latency is meaningless for a recording, because its times are in the past.
        let latency = scene.model.origin == .replay ? nil : stream.latency
        let jitter = stream.jitter.map {
            ", jitter \(scene.settings.glyphs.plusMinus)\(Self.milliseconds($0))"
        }
        rows.add("Latency", latency.map { Self.milliseconds($0) + (jitter ?? "") })
        let parts = stream.rejections.sorted().map { "\($0.name) \($0.count)" }
        let sum = "\(stream.rejected)"
        let width = canvas.width - Rows.column
        rows.add(
            "Rejected", parts.isEmpty ? "none" : Self.fitting(parts, behind: sum, in: width),
            parts.isEmpty ? nil : Style(.fair))
        rows.draw(on: &canvas)
        MixPanel.draw(stream.mix, from: 3, on: &canvas)
    }

    /// Returns `sum`, followed by as many of `parts` as fit completely in `width` columns.
    private static func fitting(_ parts: [String], behind sum: String, in width: Int) -> String {
        var text = sum
        for (index, part) in parts.enumerated() {
            let next = text + (index == 0 ? ": " : ", ") + part
            guard next.count <= width else {
                return text + (index > 0 && text.count + 4 <= width ? ", .." : "")
            }
            text = next
        }
        return text
    }

    private static func milliseconds(_ seconds: Double) -> String {
        abs(seconds) < 10
            ? "\(String(seconds * 1000, decimals: 0)) ms" : "\(String(seconds, decimals: 0)) s"
    }
}
