// SPDX-License-Identifier: MIT

/// A framed area of the sheet with a title.
struct PlotPanel {
    static let label = TextStyle(12, Palette.muted)
    static let strong = TextStyle(12, Palette.ink, bold: true)
    private static let padding = 14.0
    private static let titleHeight = 34.0

    /// The area below the title.
    let body: Frame

    /// Draws the frame with its title at the left and a note at the right.
    init(_ frame: Frame, _ title: String, note: String = "", on drawing: inout Drawing) {
        drawing.fill(frame, Palette.card)
        drawing.outline(frame, Stroke(Palette.edge, 1))
        let base = frame.y + 22
        drawing.text(title, frame.x + Self.padding, base, TextStyle(15, Palette.ink, bold: true))
        drawing.text(note, frame.right - Self.padding, base, Self.label.anchored(.end))
        body = frame.inset(
            left: Self.padding, top: Self.titleHeight, right: Self.padding, bottom: Self.padding)
    }

    /// Writes lines of text instead of a plot, such as the reason why there is no data.
    func write(_ lines: [String], on drawing: inout Drawing) {
        let middle = body.middle
        var y = middle.y - Double(lines.count - 1) * 11
        for (index, line) in lines.enumerated() {
            let style = index == 0 ? TextStyle(15, Palette.ink, bold: true) : Self.label
            drawing.text(line, middle.x, y, style.anchored(.middle))
            y += 22
        }
    }
}
