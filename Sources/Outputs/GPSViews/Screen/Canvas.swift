// SPDX-License-Identifier: MIT

/// A rectangle of cells to draw on. Drawing outside it has no effect.
package struct Canvas: Hashable, Sendable {
    /// A character with its style.
    package struct Cell: Hashable, Sendable {
        /// A character that is one column wide.
        package var character: Unicode.Scalar = " "
        /// The colour and the emphasis.
        package var style = Style.plain

        /// Creates a cell. Default: a space.
        package init(character: Unicode.Scalar = " ", style: Style = .plain) {
            self.character = character
            self.style = style
        }
    }

    /// The width in columns.
    package let width: Int
    /// The height in rows.
    package let height: Int
    /// The cells, row by row.
    package private(set) var cells: [Cell]
    /// The number of rows of scrollable content that did not fit.
    package var hiddenRows = 0
    /// The number of columns of scrollable content that did not fit.
    package var hiddenColumns = 0

    /// Creates an empty canvas. A negative size counts as 0.
    package init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: Cell(), count: self.width * self.height)
    }

    /// The cell at a position. Outside the canvas it is a space, and setting it has no effect.
    package subscript(x: Int, y: Int) -> Cell {
        get { contains(x, y) ? cells[y * width + x] : Cell() }
        set { if contains(x, y) { cells[y * width + x] = newValue } }
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        0..<width ~= x && 0..<height ~= y
    }

    /// Writes text in row `y`, beginning at column `x`. Returns the column after the text.
    ///
    /// A character that is not one column wide on every terminal is replaced by `?`. Names of
    /// devices may contain such characters.
    @discardableResult
    package mutating func write(
        _ text: some StringProtocol, _ x: Int, _ y: Int, _ style: Style = .plain
    ) -> Int {
        var x = x
        for scalar in text.unicodeScalars {
            self[x, y] = Cell(character: Self.isNarrow(scalar) ? scalar : "?", style: style)
            x += 1
        }
        return x
    }

    /// Writes text in row `y`. Its last character is in the column before `end`.
    package mutating func write(
        _ text: some StringProtocol, endingAt end: Int, _ y: Int, _ style: Style = .plain
    ) {
        write(text, end - text.unicodeScalars.count, y, style)
    }

    /// Writes text in row `y`, beginning at column `x`. If the text is too long for the row, it is
    /// truncated and ends with `..`.
    package mutating func write(
        shortened text: String, _ x: Int, _ y: Int, _ style: Style = .plain
    ) {
        let (scalars, room) = (text.unicodeScalars, width - x)
        guard scalars.count > room else {
            write(text, x, y, style)
            return
        }
        let start = String(String.UnicodeScalarView(scalars.prefix(max(0, room - 2))))
        write(start + "..", x, y, style)
    }

    /// Fills a row with spaces of the given style.
    package mutating func fill(row y: Int, _ style: Style) {
        for x in 0..<width { self[x, y] = Cell(style: style) }
    }

    /// Copies another canvas to this one. (`x`, `y`) is where its upper left corner is placed.
    package mutating func place(_ other: Canvas, _ x: Int, _ y: Int) {
        hiddenRows = max(hiddenRows, other.hiddenRows)
        hiddenColumns = max(hiddenColumns, other.hiddenColumns)
        for row in 0..<other.height {
            for column in 0..<other.width {
                self[x + column, y + row] = other.cells[row * other.width + column]
            }
        }
    }

    /// Returns whether every terminal shows a character in one column: letters of European scripts,
    /// and the symbols used on the screen.
    private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x370...0x377, 0x384...0x482, 0x48A...0x52F:
            true
        case 0x2010...0x2027, 0x2030...0x205E: true
        case 0x2190...0x21FF, 0x2200...0x22FF, 0x2500...0x25FF, 0x2800...0x28FF: true
        default: false
        }
    }
}
