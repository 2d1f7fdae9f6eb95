// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Position, altitude, speed and course.
struct PositionPanel: Panel {
    let title = "Position"
    let minimumRows = 6
    let fallbackRows = 1

    func usefulRows(_ scene: Scene) -> Int? {
        6 + PositionNotation.allCases.count + (scene.fix?.magneticVariation == nil ? 0 : 1)
    }

    func note(_ scene: Scene) -> String { "p: \(scene.settings.notation.name)" }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (glyphs, units, fix) = (scene.settings.glyphs, scene.settings.units, scene.fix)
        let style = scene.valueStyle
        if let coordinate = fix?.coordinate {
            let text = scene.settings.notation.text(coordinate, glyphs)
            canvas.write(text.trimmed, 1, 0, scene.isPast ? .dim : .bold)
        } else {
            canvas.write("not known yet", 1, 0, .dim)
        }
        // The compass is shown if at least one other notation fits as well.
        let hasVariation = canvas.height > 6 && fix?.magneticVariation != nil
        let hasCompass = canvas.height > (hasVariation ? 8 : 7)
        var rest = canvas.height - 6 - (hasCompass ? 1 : 0) - (hasVariation ? 1 : 0)
        var row = 1
        for other in PositionNotation.allCases where other != scene.settings.notation && rest > 0 {
            let text = fix?.coordinate.map { other.text($0, glyphs).trimmed } ?? glyphs.unknown
            let isWide = text.unicodeScalars.count + 12 > canvas.width
            if !isWide { canvas.write(other.name, 1, row, .dim) }
            canvas.write(text, isWide ? 1 : 12, row, style)
            (row, rest) = (row + 1, rest - 1)
        }
        var rows = FigureRows(scene, from: row)
        let height = { (value: Double?) in
            value.map { String($0 / units.height.metres, decimals: 1) }
        }
        rows.add(
            "Altitude", height(fix?.altitude), units.height.sign, "sea level", on: &canvas)
        if canvas.height >= minimumRows {
            rows.add(
                "", height(fix?.ellipsoidalAltitude), units.height.sign, "ellipsoid", on: &canvas)
        }
        let speed = fix?.speed.map { String($0 / units.speed.metres, decimals: 1) }
        rows.add(
            "Speed", speed, units.speed.sign,
            fix?.isStationary == true ? "stationary" : Self.climb(scene), on: &canvas)
        let course = fix?.course
        // A receiver at rest reports a small speed and usually no course. One that moves may report
        // only a magnetic course.
        let isStopped = fix?.isStationary == true || fix?.speed.map { $0 < 0.5 } == true
        let wind =
            course.map {
                glyphs.isASCII ? Glyphs.wind($0) : "\(glyphs.arrow($0)) \(Glyphs.wind($0))"
            }
            ?? (isStopped ? "stopped" : "")
        let magnetic = fix?.magnetic.map {
            String(direction: $0, decimals: 0) + glyphs.degree + " M"
        }
        rows.add(
            "Course", course.map { String(direction: $0, decimals: 1) },
            glyphs.isASCII ? "deg" : "°",
            [wind, magnetic].compactMap(\.self).joined(separator: " "), on: &canvas)
        if hasVariation, let variation = fix?.magneticVariation {
            rows.add(
                "Variation", String(abs(variation), decimals: 1), glyphs.isASCII ? "deg" : "°",
                abs(variation) < 0.05 ? "" : variation < 0 ? "west" : "east", on: &canvas)
        }
        if hasCompass { rows.addCompass(course, on: &canvas) }
        rows.add(
            "Geoid", height(fix?.geoidSeparation), units.height.sign, "separation", on: &canvas)
    }
}

extension PositionPanel {
    /// Returns the climb rate with an arrow; empty if it is unknown or outdated.
    private static func climb(_ scene: Scene) -> String {
        guard let climb = scene.model.climb, !scene.isPast else { return "" }
        let glyphs = scene.settings.glyphs
        let units = scene.settings.units
        let (up, down) = (units.climb(climb), units.climb(-climb))
        // A climb rate that is rounded to 0 has spaces instead of the arrow, so that it stays
        // aligned.
        guard up != down else { return String(repeating: " ", count: glyphs.up.count + 1) + up }
        return climb < 0 ? "\(glyphs.down) \(down)" : "\(glyphs.up) \(up)"
    }
}

extension Fix {
    /// The magnetic course over ground in degrees, as received or computed from the true course and
    /// the variation; `nil` if unknown.
    fileprivate var magnetic: Double? {
        magneticCourse ?? magneticVariation.flatMap { course?.magnetic($0) }
    }
}

/// Draws rows with a label, a right-aligned number, its unit and a note.
private struct FigureRows {
    private var row: Int
    private let scene: Scene

    init(_ scene: Scene, from row: Int) {
        self.scene = scene
        self.row = row
    }

    mutating func add(
        _ label: String, _ number: String?, _ unit: String, _ word: String, on canvas: inout Canvas
    ) {
        canvas.write(label, 1, row, .dim)
        if let number {
            canvas.write(number, endingAt: 20, row, scene.valueStyle)
            canvas.write(unit, 21, row, scene.valueStyle)
        } else {
            canvas.write(scene.settings.glyphs.unknown, endingAt: 20, row, .dim)
        }
        canvas.write(shortened: word, 26, row, .dim)
        row += 1
    }

    /// Adds a row with the compass strip; the row is empty if the course is unknown.
    mutating func addCompass(_ course: Double?, on canvas: inout Canvas) {
        if let course {
            Compass.draw(course, scene.settings.glyphs, 12, row, scene.valueStyle, on: &canvas)
        }
        row += 1
    }
}

/// A part of the screen with a title.
protocol Panel: Sendable {
    /// The title in the panel's heading.
    var title: String { get }
    /// The minimum number of rows below the heading, if there are other panels.
    var minimumRows: Int { get }
    /// The minimum number of rows below the heading, if no other panel fits.
    var fallbackRows: Int { get }
    /// Returns the maximum number of rows that the panel can use; `nil` for no limit.
    func usefulRows(_ scene: Scene) -> Int?
    /// Returns the text at the right of the heading, such as a key or a total.
    func note(_ scene: Scene) -> String
    /// Draws the panel without its heading. The canvas contains only this panel.
    func draw(_ scene: Scene, on canvas: inout Canvas)
}

extension Panel {
    var fallbackRows: Int { minimumRows }
    func note(_ scene: Scene) -> String { "" }
    func usefulRows(_ scene: Scene) -> Int? { minimumRows }

    /// Returns the panel with its heading on a canvas of the given size.
    func drawn(_ scene: Scene, width: Int, height: Int) -> Canvas {
        var whole = Canvas(width: width, height: height)
        let glyphs = scene.settings.glyphs
        whole.write(String(repeating: glyphs.rule, count: whole.width), 0, 0, .dim)
        whole.write(" \(title) ", 2, 0, .bold)
        let note = note(scene)
        if !note.isEmpty, title.count + note.count + 8 <= width {
            whole.write(" \(note) ", endingAt: width - 2, 0, .dim)
        }
        var body = Canvas(width: width, height: height - 1)
        draw(scene, on: &body)
        whole.place(body, 0, 1)
        return whole
    }
}

/// The input of drawing: the model of a receiver, the user's settings and the current time.
struct Scene {
    let model: ScreenModel
    let settings: ScreenSettings
    let now: ClockReading

    /// The fix whose values are shown: the last one with a position.
    var fix: Fix? { model.position?.fix }

    /// The style of values: dimmed if they are outdated.
    var valueStyle: Style { isPast ? .dim : .plain }

    /// Whether the displayed values are outdated: the receiver is not open, reports that it has no
    /// fix, or has not sent a position for some time.
    var isPast: Bool {
        guard model.condition.isOpen else { return true }
        return model.fix?.mode == .noFix || model.staleness(at: now) != nil
    }

    /// Whether the last epoch is outdated: the receiver is not open, or fixes no longer arrive.
    /// Unlike `isPast`, this is `false` while the receiver reports that it has no fix.
    var isEpochPast: Bool {
        guard model.condition.isOpen else { return true }
        return model.fix?.mode != .noFix && model.staleness(at: now) != nil
    }
}

/// Rows with a label and a value.
struct Rows {
    /// The column at which values begin.
    static let column = 12
    private var rows: [(label: String, value: String, style: Style)] = []
    private let scene: Scene
    private let isPast: Bool

    /// Creates an empty list. If `isPast` is `true`, all values are dimmed, even those that are
    /// added with a style.
    init(_ scene: Scene, isPast: Bool = false) {
        self.scene = scene
        self.isPast = isPast
    }

    /// Adds a row. An unknown value is shown as a dash.
    mutating func add(_ label: String, _ value: String?, _ style: Style? = nil) {
        let style = value == nil || isPast ? .dim : style ?? scene.valueStyle
        rows.append((label, value ?? scene.settings.glyphs.unknown, style))
    }

    func draw(on canvas: inout Canvas) {
        for (y, row) in rows.enumerated() {
            canvas.write(row.label, 1, y, .dim)
            canvas.write(shortened: row.value, Self.column, y, row.style)
        }
    }
}

/// The quality and accuracy of the fix.
struct FixPanel: Panel {
    let title = "Fix"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? {
        6 + (Self.hasCorrections(scene) ? 1 : 0) + (Self.headings(scene) == nil ? 0 : 1)
            + (scene.model.fix?.vote == nil ? 0 : 1)
    }

    func note(_ scene: Scene) -> String { "u: \(scene.settings.units.name)" }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (glyphs, units, fix) = (scene.settings.glyphs, scene.settings.units, scene.fix)
        var rows = Rows(scene)
        let words = scene.model.fix.map(FixQualityText.text)
        // Shown after the quality if the age of corrections has no row of its own.
        let age =
            canvas.height > 5 ? nil : fix?.correctionAge.map { " \(String($0, decimals: 0)) s" }
        rows.add(
            "Quality", words.map { $0 + (age ?? "") },
            FixQualityText.style(scene.model.fix, isPast: scene.isPast))
        rows.add("Held for", scene.model.heldFor(at: scene.now).map { Elapsed.text($0) })
        let accuracy = fix?.accuracy
        let horizontal = accuracy?.horizontal.map { glyphs.plusMinus + units.accuracy($0) }
        let vertical = accuracy?.vertical.map {
            ", height \(glyphs.plusMinus)" + units.accuracy($0)
        }
        let headings = Self.headings(scene)
        // A device that sends only its attitude has no accuracy, so this row shows its headings.
        let isAttitudeOnly = scene.model.fix?.isAttitudeOnly ?? false
        if isAttitudeOnly {
            rows.add("Heading", headings)
        } else {
            rows.add("Accuracy", horizontal.map { $0 + (vertical ?? "") })
        }
        // DOP and satellites belong to the current epoch, even without a fix, not to the last
        // position.
        rows.add("DOP", Self.dilution(scene.model.fix?.dilution))
        let inView = scene.model.satellites.count
        let used = scene.model.fix?.satellitesUsed
        rows.add(
            "Satellites",
            used.map { "\($0) used" + (inView > 0 ? ", \(inView) in view" : "") }
                ?? (inView > 0 ? "\(inView) in view" : nil))
        var rest = canvas.height - 5
        if rest > 0, let vote = scene.model.fix?.vote {
            rows.add("Vote", vote.summary, vote.style)
            rest -= 1
        }
        if rest > 0, !isAttitudeOnly, let headings {
            rows.add("Heading", headings)
            rest -= 1
        }
        if rest > 0, let age = fix?.correctionAge {
            let station = fix?.correctionStation.map { ", station \($0)" } ?? ""
            rows.add("Corrected", "\(String(age, decimals: 1)) s ago\(station)")
            rest -= 1
        }
        if rest > 0 { rows.add("Estimated", accuracy?.source.map(Self.source)) }
        rows.draw(on: &canvas)
    }

    private static func hasCorrections(_ scene: Scene) -> Bool { scene.fix?.correctionAge != nil }

    /// Returns the true and magnetic heading, pitch and roll; `nil` if none is known.
    private static func headings(_ scene: Scene) -> String? {
        guard let attitude = scene.model.fix?.attitude else { return nil }
        let degree = scene.settings.glyphs.degree
        return list([
            ("", attitude.heading?.direction(decimals: 1), degree + "T"),
            ("", attitude.magneticHeading?.direction(decimals: 1), degree + "M"),
            ("pitch ", attitude.pitch, degree), ("roll ", attitude.roll, degree),
        ])
    }

    private static func dilution(_ dilution: DilutionOfPrecision?) -> String? {
        list([
            ("H ", dilution?.hdop, ""), ("V ", dilution?.vdop, ""), ("P ", dilution?.pdop, ""),
        ])
    }

    /// Returns the known values with their names and unit symbols; `nil` if none is known.
    private static func list(_ parts: [(name: String, value: Double?, sign: String)]) -> String? {
        let known = parts.compactMap { name, value, sign in
            value.map { name + String($0, decimals: 1) + sign }
        }
        return known.isEmpty ? nil : known.joined(separator: "  ")
    }

    private static func source(_ source: Accuracy.Source) -> String {
        switch source {
        case .standardDeviations: "by the receiver (GST)"
        case .expectedErrors: "by the receiver (GBS)"
        case .receiver: "by the receiver"
        case .dilution: "from the DOPs"
        }
    }
}

extension FixQualityText {
    /// Returns the style of a fix: red if there is none or it is outdated, yellow if it is 2D or
    /// its accuracy is worse than 15 m, otherwise green.
    static func style(_ fix: Fix?, isPast: Bool) -> Style {
        guard let fix, fix.mode > .noFix else { return Style(.poor).bold }
        if isPast { return Style(.poor) }
        let metres = fix.accuracy.horizontal ?? 10
        return Style(fix.mode == .twoD || metres > 15 ? .fair : .good).bold
    }
}

/// The receiver's time, in UTC and local time, and the offset of the system's clock.
struct TimePanel: Panel {
    let title = "Time"
    let minimumRows = 3

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let zone = scene.settings.fixZone
        var rows = Rows(scene)
        let time = scene.model.fix?.time
        rows.add("UTC", time.map(Self.text) ?? Self.timeAlone(scene.model.fix))
        let local = time.flatMap {
            UTCTime(
                unixNanoseconds: $0.unixNanoseconds &+ Int64(zone.offset) &* 1_000_000_000)
        }
        rows.add("Local", local.map { Self.text($0) + " " + zone.name })
        rows.add("Clock", offset(scene))
        rows.draw(on: &canvas)
    }

    private static func text(_ time: UTCTime) -> String {
        let text = time.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }

    private static func timeAlone(_ fix: Fix?) -> String? {
        fix?.timeOfDay.map { "no date yet " + $0.clock }
    }

    /// Returns the offset of the system's clock from the receiver's; `nil` if it is unknown, or for
    /// a recording, whose times are in the past.
    private func offset(_ scene: Scene) -> String? {
        guard scene.model.origin != .replay, let offset = scene.model.stream.clockOffset else {
            return nil
        }
        if abs(offset) >= 86_400 { return "off by \(Int(nearest: abs(offset) / 86_400)) days" }
        if offset < -0.001 { return "system \(String(-offset, decimals: 3)) s behind" }
        return "system \(String(max(0, offset), decimals: 3)) s ahead"
    }
}

/// The statistics of the trip since the start, as printed by `convert --summary`.
struct TripPanel: Panel {
    let title = "Trip"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? { 9 }

    /// The width of a name with its value, in columns.
    private static let width = 28

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let rows = scene.model.trip.rows(scene.settings.units)
        let columns = max(1, canvas.width / Self.width)
        for (index, row) in rows.enumerated() {
            let (x, y) = (index % columns * Self.width + 1, index / columns)
            canvas.write(row.name, x, y, .dim)
            canvas.write(row.value, x + 15, y, scene.valueStyle)
        }
    }
}

/// The track of the last ten minutes, drawn to scale with north at the top.
struct TrackPanel: Panel {
    let title = "Track"
    let minimumRows = 6

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let seconds = scene.model.track.duration
        guard seconds > 0 else { return "" }
        guard seconds >= 60 else { return "last \(Int(nearest: seconds.rounded(.up))) s" }
        let minutes = Int(nearest: (seconds / 60).rounded(.down))
        return minutes == 1 ? "last minute" : "last \(minutes) minutes"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let points = scene.model.track.points
        guard let last = points.last, canvas.height > 2, canvas.width > 10 else {
            canvas.write("no track yet", 1, 0, .dim)
            return
        }
        // The last row contains the scale. Dots are as wide as they are high.
        let size = (width: Double(canvas.width * 2 - 2), height: Double(canvas.height * 4 - 8))
        let plane = LocalPlane(at: last.coordinate)
        let box = PlaneBox(points.map(\.coordinate), on: plane)
        // The map is at least 20 m wide. On a smaller map, only noise would be visible.
        let metres = max(
            20 / size.width, box.width / size.width, box.height / max(1, size.height))
        var dots = Braille(width: canvas.width, height: canvas.height - 1)
        let dot = { (coordinate: Coordinate) in
            let position = plane.point(at: coordinate)
            return (
                x: Int(nearest: size.width / 2 + (position.east - box.middle.east) / metres),
                y: Int(nearest: size.height / 2 - (position.north - box.middle.north) / metres) + 2
            )
        }
        let way = points.map { dot($0.coordinate) }
        for (start, end) in zip(way, way.dropFirst()) { dots.line(start, end) }
        dots.draw(scene.settings.glyphs, on: &canvas)
        let here = dot(last.coordinate)
        canvas.write(scene.settings.glyphs.here, here.x / 2, here.y / 4, Style(.accent).bold)
        drawScale(metres, scene, on: &canvas)
    }

    private func drawScale(_ metresPerDot: Double, _ scene: Scene, on canvas: inout Canvas) {
        let (glyphs, units) = (scene.settings.glyphs, scene.settings.units)
        let length = units.roundLength(notAbove: metresPerDot * Double(canvas.width))
        let columns = max(1, Int(nearest: length / metresPerDot / 2))
        let bar = "|" + String(repeating: glyphs.rule, count: max(0, columns - 1)) + "|"
        let end = canvas.write(bar, 1, canvas.height - 1, .dim)
        canvas.write(units.scale(length), end + 1, canvas.height - 1)
        // In ASCII, the arrow to the north is also the letter N.
        let north = glyphs.isASCII ? "N" : "N" + glyphs.arrow(0)
        canvas.write(north, endingAt: canvas.width - 1, 0, .dim)
    }
}
