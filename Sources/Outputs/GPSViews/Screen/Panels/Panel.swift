// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

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
