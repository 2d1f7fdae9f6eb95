// SPDX-License-Identifier: MIT
import CGPSCairo
import Glibc

/// Renders a drawing as PNG with cairo.
package enum PNGImage {
    /// The name of a required library that is not installed; `nil` if PNG can be rendered.
    package static var missing: String? {
        ccairo_missing().map { String(cString: $0) }
    }

    /// Returns the drawing as PNG; `nil` if cairo is missing or memory is insufficient.
    package static func bytes(of drawing: Drawing) -> [UInt8]? {
        guard
            let sheet = ccairo_begin(CInt(clamping: drawing.width), CInt(clamping: drawing.height))
        else { return nil }
        defer { ccairo_end(sheet) }
        for shape in drawing.shapes { paint(shape, on: sheet) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ccairo_png(sheet, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { free(bytes) }
        // Safety: ccairo_png has allocated `count` bytes at this address.
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func paint(_ shape: Shape, on sheet: OpaquePointer) {
        switch shape {
        case .line(let points, let stroke):
            trace(points, on: sheet)
            draw(stroke, on: sheet)
        case .area(let points, let color):
            trace(points, on: sheet)
            choose(color, on: sheet)
            ccairo_fill(sheet)
        case .ring(let middle, let radius, let stroke):
            ccairo_circle(sheet, middle.x, middle.y, radius)
            draw(stroke, on: sheet)
        case .discs(let points, let radius, let color):
            choose(color, on: sheet)
            for point in points {
                ccairo_circle(sheet, point.x, point.y, radius)
                ccairo_fill(sheet)
            }
        case .text(let text, let position, let style): write(text, position, style, on: sheet)
        case .label(let text, let position, let style, let halo):
            var outline = style
            outline.color = halo
            write(text, position, outline, halo: Halo.width, on: sheet)
            write(text, position, style, on: sheet)
        case .clip(let frame):
            trace(frame.corners, on: sheet)
            ccairo_clip(sheet)
        case .unclip: ccairo_unclip(sheet)
        }
    }

    private static func trace(_ points: [Point], on sheet: OpaquePointer) {
        guard let first = points.first else { return }
        ccairo_move(sheet, first.x, first.y)
        for point in points.dropFirst() { ccairo_line(sheet, point.x, point.y) }
    }

    private static func choose(_ color: Color, on sheet: OpaquePointer) {
        ccairo_color(
            sheet, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
            color.opacity)
    }

    private static func draw(_ stroke: Stroke, on sheet: OpaquePointer) {
        choose(stroke.color, on: sheet)
        ccairo_stroke(sheet, stroke.width, stroke.dash)
    }

    private static func write(
        _ text: String, _ position: Point, _ style: TextStyle, halo: Double = 0,
        on sheet: OpaquePointer
    ) {
        let anchor =
            switch style.anchor {
            case .start: 0.0
            case .middle: 0.5
            case .end: 1.0
            }
        choose(style.color, on: sheet)
        // A NUL would end the C string.
        let shown = text.unicodeScalars.contains("\0") ? text.filter { $0 != "\0" } : text
        ccairo_text(
            sheet, shown, position.x, position.y, style.size, style.isBold ? 1 : 0, anchor, halo)
    }
}
