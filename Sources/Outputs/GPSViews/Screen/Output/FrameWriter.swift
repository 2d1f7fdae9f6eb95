// SPDX-License-Identifier: MIT

/// Converts canvases to terminal output that updates only the changed cells.
package struct FrameWriter {
    private var shown: Canvas?

    /// Creates a writer for a screen with unknown contents.
    package init() {}

    /// Discards what is known about the contents of the screen, so that the next frame is written
    /// completely.
    package mutating func forget() { shown = nil }

    /// Returns the bytes that make the screen show a canvas; empty if it already does.
    package mutating func bytes(
        for canvas: Canvas, _ language: some TerminalLanguage
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var known = shown
        if known?.width != canvas.width || known?.height != canvas.height {
            bytes += language.style(.plain) + language.clear
            known = Canvas(width: canvas.width, height: canvas.height)
        }
        guard let known else { return [] }
        var style: Style?
        for y in 0..<canvas.height {
            var cursor: Int?
            for x in 0..<canvas.width where canvas[x, y] != known[x, y] {
                // Some terminals scroll after a character in the last cell, so it is never written.
                if x == canvas.width - 1, y == canvas.height - 1 { continue }
                let cell = canvas[x, y]
                if cursor != x { bytes += language.move(x: x, y: y) }
                if cell.style != style {
                    bytes += language.style(cell.style)
                    style = cell.style
                }
                bytes += Array(String(cell.character).utf8)
                cursor = x + 1
            }
        }
        if style != nil, style != .plain { bytes += language.style(.plain) }
        shown = canvas
        return bytes
    }
}
