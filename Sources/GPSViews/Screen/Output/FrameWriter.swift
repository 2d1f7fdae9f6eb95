// SPDX-License-Identifier: MIT

/// Converts canvases to terminal output, only for cells that have changed.
package struct FrameWriter {
    private var shown: Canvas?

    /// Creates a writer for a screen whose contents are unknown.
    package init() {}

    /// Call when the contents of the screen are unknown: everything is written the next time.
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
                // Some terminals scroll after a character in this cell.
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
