// SPDX-License-Identifier: MIT
import CGPSCairo
import GNSS
import Glibc

/// A colour with components from 0 to 255, and an opacity from 0 to 1.
package struct Color: Hashable, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8
    var opacity = 1.0

    /// Creates a colour from `0xRRGGBB`.
    package init(_ code: UInt32) {
        red = UInt8(truncatingIfNeeded: code >> 16)
        green = UInt8(truncatingIfNeeded: code >> 8)
        blue = UInt8(truncatingIfNeeded: code)
    }

    private init(_ parts: (Double, Double, Double)) {
        func byte(_ part: Double) -> UInt8 { UInt8(max(0, min(255, part.rounded()))) }
        (red, green, blue) = (byte(parts.0), byte(parts.1), byte(parts.2))
    }

    /// Returns the colour with another opacity.
    func opacity(_ opacity: Double) -> Color {
        var color = self
        color.opacity = opacity
        return color
    }

    /// Returns a mixture of this colour (`fraction` 0) and another one (`fraction` 1).
    func mixed(with other: Color, _ fraction: Double) -> Color {
        let fraction = fraction.isNaN ? 0 : max(0, min(1, fraction))
        func part(_ a: UInt8, _ b: UInt8) -> Double {
            Double(a) + (Double(b) - Double(a)) * fraction
        }
        return Color(
            (part(red, other.red), part(green, other.green), part(blue, other.blue)))
    }

    /// The colour in hexadecimal, such as `#1f77b4`.
    var code: String {
        "#" + String(hexadecimal: UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue), width: 6)
    }
}

/// Shapes in drawing order, independent of the image format.
package struct Drawing: Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    let height: Int
    /// A one-line title.
    package let title: String
    /// The shapes, from bottom to top.
    package private(set) var shapes: [Shape] = []

    mutating func add(_ shape: Shape) {
        shapes.append(shape)
    }

    mutating func line(_ a: Point, _ b: Point, _ stroke: Stroke) {
        shapes.append(.line([a, b], stroke))
    }

    mutating func fill(_ frame: Frame, _ color: Color) {
        shapes.append(.area(frame.corners, color))
    }

    mutating func outline(_ frame: Frame, _ stroke: Stroke) {
        shapes.append(.line(frame.corners + frame.corners.prefix(1), stroke))
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: TextStyle) {
        shapes.append(.text(text, Point(x, y), style))
    }

    mutating func clipped(to frame: Frame, _ body: (inout Drawing) -> Void) {
        shapes.append(.clip(frame))
        body(&self)
        shapes.append(.unclip)
    }
}

/// A rectangle in a drawing, in pixels.
package struct Frame: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    var height: Double

    /// Creates a frame from its upper left corner and size.
    package init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var right: Double { x + width }
    var bottom: Double { y + height }
    var middle: Point { Point(x + width / 2, y + height / 2) }

    var corners: [Point] {
        [Point(x, y), Point(right, y), Point(right, bottom), Point(x, bottom)]
    }

    /// Returns the frame reduced by the given margins, in pixels.
    func inset(left: Double = 0, top: Double = 0, right: Double = 0, bottom: Double = 0) -> Frame {
        Frame(x + left, y + top, max(0, width - left - right), max(0, height - top - bottom))
    }

    func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= right && point.y >= y && point.y <= bottom
    }
}

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

/// Renders a drawing as SVG 1.1. cairo is not used, because its SVG contains outlines instead of
/// letters: they cannot be searched, and depend on the machine's fonts.
package struct SVGImage {
    private var bytes: [UInt8] = []
    private var clips = 0

    package static func bytes(of drawing: Drawing) -> [UInt8] {
        var image = SVGImage()
        image.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(drawing.width)" \
            height="\(drawing.height)" viewBox="0 0 \(drawing.width) \(drawing.height)" \
            font-family="DejaVu Sans, Verdana, sans-serif" fill="none" stroke-linejoin="round" \
            stroke-linecap="round">
            <title>\(String(xml: drawing.title))</title>

            """)
        for shape in drawing.shapes { image.put(shape) }
        image.put("</svg>\n")
        return image.bytes
    }

    private init() {}

    private mutating func put(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func put(_ shape: Shape) {
        switch shape {
        case .line(let points, let stroke):
            guard points.count > 1 else { return }
            put("<path d=\"\(Self.path(points))\"\(Self.attributes(stroke))/>\n")
        case .area(let points, let color):
            put("<path d=\"\(Self.path(points))z\"\(Self.paint("fill", color))/>\n")
        case .ring(let middle, let radius, let stroke):
            let center = "cx=\"\(Self.number(middle.x))\" cy=\"\(Self.number(middle.y))\""
            put("<circle \(center) r=\"\(Self.number(radius))\"\(Self.attributes(stroke))/>\n")
        case .discs(let points, let radius, let color):
            put("<g\(Self.paint("fill", color))>\n")
            let radius = Self.number(radius)
            for point in points {
                let center = "cx=\"\(Self.number(point.x))\" cy=\"\(Self.number(point.y))\""
                put("<circle \(center) r=\"\(radius)\"/>\n")
            }
            put("</g>\n")
        case .text(let text, let position, let style):
            put(text, position, style, "")
        case .label(let text, let position, let style, let halo):
            put(text, position, style, Self.attributes(Stroke(halo, Halo.width)))
            put(text, position, style, "")
        case .clip(let frame):
            clips += 1
            let path = Self.path(frame.corners)
            put("<clipPath id=\"clip\(clips)\"><path d=\"\(path)z\"/></clipPath>\n")
            put("<g clip-path=\"url(#clip\(clips))\">\n")
        case .unclip: put("</g>\n")
        }
    }

    private mutating func put(
        _ text: String, _ position: Point, _ style: TextStyle, _ attributes: String
    ) {
        let weight = style.isBold ? " font-weight=\"bold\"" : ""
        let anchor =
            switch style.anchor {
            case .start: ""
            case .middle: " text-anchor=\"middle\""
            case .end: " text-anchor=\"end\""
            }
        // The outline is hidden from screen readers, so that they read the text once.
        let paint = attributes.isEmpty ? Self.paint("fill", style.color) : " aria-hidden=\"true\""
        put(
            "<text x=\"\(Self.number(position.x))\" y=\"\(Self.number(position.y))\" "
                + "font-size=\"\(Self.number(style.size))\"\(weight)\(anchor)\(paint)\(attributes)>"
                + "\(String(xml: text))</text>\n")
    }

    // MARK: SVG syntax

    private static func path(_ points: [Point]) -> String {
        var text = ""
        for (index, point) in points.enumerated() {
            text += index == 0 ? "M" : index == 1 ? "L" : " "
            text += "\(number(point.x)) \(number(point.y))"
        }
        return text
    }

    private static func attributes(_ stroke: Stroke) -> String {
        let dash = stroke.dash > 0 ? " stroke-dasharray=\"\(number(stroke.dash))\"" : ""
        let cap = stroke.dash > 0 ? " stroke-linecap=\"butt\"" : ""
        return paint("stroke", stroke.color) + " stroke-width=\"\(number(stroke.width))\""
            + dash + cap
    }

    private static func paint(_ what: String, _ color: Color) -> String {
        let opacity = color.opacity < 1 ? " \(what)-opacity=\"\(number(color.opacity))\"" : ""
        return " \(what)=\"\(color.code)\"\(opacity)"
    }

    /// Returns a number with at most two decimals, limited to ±1,000,000; 0 if it is not finite.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return String(max(-1e6, min(1e6, value)), atMostDecimals: 2)
    }
}

/// The outline of a label in a contrasting colour.
private enum Halo {
    /// The width in pixels. Half of it is outside the letters.
    static let width = 3.0
}

/// A point of a drawing, in pixels to the right and down from the upper left corner.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// The style of a line.
package struct Stroke: Hashable, Sendable {
    var color: Color
    /// The width in pixels.
    package var width: Double
    /// The length of dashes and of gaps in pixels; 0 for a solid line.
    var dash: Double

    package init(_ color: Color, _ width: Double, dash: Double = 0) {
        self.color = color
        self.width = width
        self.dash = dash
    }
}

package struct TextStyle: Hashable, Sendable {
    /// The part of the text that is at the text's point.
    package enum Anchor: Sendable { case start, middle, end }

    /// The font size in pixels.
    package var size: Double
    var color: Color
    var isBold = false
    package var anchor = Anchor.start

    package init(
        _ size: Double, _ color: Color, bold: Bool = false, _ anchor: Anchor = .start
    ) {
        self.size = size
        self.color = color
        isBold = bold
        self.anchor = anchor
    }

    /// Returns the style with another anchor.
    package func anchored(_ anchor: Anchor) -> TextStyle {
        var style = self
        style.anchor = anchor
        return style
    }
}

/// A shape of a drawing.
package enum Shape: Hashable, Sendable {
    /// A line through the points.
    case line([Point], Stroke)
    /// A filled polygon.
    case area([Point], Color)
    /// The outline of a circle.
    case ring(Point, radius: Double, Stroke)
    /// Equal small discs. Overlapping discs are more opaque.
    case discs([Point], radius: Double, Color)
    /// A line of text. Its baseline starts, is centred, or ends at the point, depending on the
    /// anchor.
    case text(String, Point, TextStyle)
    /// A line of text with a halo in another colour, so that it is readable on any background.
    case label(String, Point, TextStyle, halo: Color)
    /// Clips the following shapes to a frame, until `unclip`.
    case clip(Frame)
    /// Ends `clip`. Clips are not nested.
    case unclip
}

/// Joins points into as few lines and with as few points as possible. Each line has one style.
struct StyledLines<Style: Equatable> {
    struct Line {
        fileprivate(set) var points: [Point]
        let style: Style
    }

    private(set) var lines: [Line] = []
    /// The total length of all lines in pixels.
    private(set) var length = 0.0
    /// A point closer than this to the previous one, in pixels, is omitted, because it would not be
    /// visible.
    private let resolution: Double

    init(resolution: Double = 0) {
        self.resolution = resolution
    }

    /// Adds a point. If `continuesLine` is `false`, the point begins a new line.
    mutating func add(_ point: Point, _ style: Style, continuesLine: Bool) {
        guard continuesLine, let line = lines.last, let last = line.points.last else {
            return lines.append(Line(points: [point], style: style))
        }
        let (x, y) = (point.x - last.x, point.y - last.y)
        if line.style != style {
            lines.append(Line(points: [last, point], style: style))
        } else if line.points.count > 1, abs(x) < resolution, abs(y) < resolution {
            return
        } else {
            lines[lines.count - 1].points.append(point)
        }
        length += (x * x + y * y).squareRoot()
    }
}
