// SPDX-License-Identifier: MIT
import GNSS

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
