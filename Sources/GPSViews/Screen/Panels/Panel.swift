// SPDX-License-Identifier: MIT
import GNSS

/// A part of the screen with a heading.
protocol Panel: Sendable {
    /// The text of its heading.
    var title: String { get }
    /// The rows it needs below its heading beside other panels.
    var minimumRows: Int { get }
    /// The fewest rows in which the panel is still useful, where only one panel fits.
    var fallbackRows: Int { get }
    /// The rows it can use; `nil` for any number.
    func usefulRows(_ scene: Scene) -> Int?
    /// The text at the right of its heading: a key or a sum.
    func note(_ scene: Scene) -> String
    /// Draws it on a canvas of its own.
    func draw(_ scene: Scene, on canvas: inout Canvas)
}

extension Panel {
    var fallbackRows: Int { minimumRows }
    func note(_ scene: Scene) -> String { "" }
    func usefulRows(_ scene: Scene) -> Int? { minimumRows }

    /// The panel and its heading, at that size.
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

/// The content of a drawing: a receiver with the user's settings at an instant.
struct Scene {
    let model: ScreenModel
    let settings: ScreenSettings
    let now: ClockReading

    /// The fix whose values are shown: the last one with a position.
    var fix: Fix? { model.position?.fix }

    /// The style of values: dimmed where they are not current.
    var valueStyle: Style { isPast ? .dim : .plain }

    /// Whether the position shown is not the receiver's present one.
    var isPast: Bool {
        guard case .open = model.condition else { return true }
        return model.fix?.mode == .noFix || model.staleness(at: now) != nil
    }
}

/// Rows of a label and a value, the values one below the other.
struct Rows {
    /// Where values begin.
    static let column = 12
    private var row = 0
    private let scene: Scene

    init(_ scene: Scene) { self.scene = scene }

    /// Adds a row; what is not known is a dash.
    mutating func add(
        _ label: String, _ value: String?, _ style: Style? = nil, on canvas: inout Canvas
    ) {
        canvas.write(label, 1, row, .dim)
        let unknown = scene.settings.glyphs.unknown
        canvas.write(
            value ?? unknown, Self.column, row, value == nil ? .dim : style ?? scene.valueStyle)
        row += 1
    }
}
