// SPDX-License-Identifier: MIT
import GPSViews

/// A canvas as text for a terminal: the rows with the control sequences of their styles.
enum ColouredText {
    /// Creates the text with a number of colours; 0 keeps bold, dim and reverse.
    static func text(_ canvas: Canvas, colours: Int) -> String {
        var text = ""
        for y in 0..<canvas.height {
            var style = Style.plain
            var end = canvas.width
            while end > 0, canvas[end - 1, y] == Canvas.Cell() { end -= 1 }
            for x in 0..<end {
                let cell = canvas[x, y]
                if cell.style != style { text += sequence(cell.style, colours) }
                style = cell.style
                text.unicodeScalars.append(cell.character)
            }
            text += style == .plain ? "\n" : "\u{1B}[0m\n"
        }
        return text
    }

    private static func sequence(_ style: Style, _ colours: Int) -> String {
        var parts = ["0"]
        if style.isBold { parts.append("1") }
        if style.isDim { parts.append("2") }
        if style.isReversed { parts.append("7") }
        if let colour = style.role.colour(of: colours) { parts.append("38;5;\(colour)") }
        return "\u{1B}[" + parts.joined(separator: ";") + "m"
    }
}

extension Canvas {
    /// The characters alone, each row without blanks at its end.
    var text: String {
        (0..<height).map { y in
            var row = String.UnicodeScalarView()
            var end = width
            while end > 0, self[end - 1, y].character == " " { end -= 1 }
            for x in 0..<end { row.append(self[x, y].character) }
            return String(row) + "\n"
        }.joined()
    }
}
