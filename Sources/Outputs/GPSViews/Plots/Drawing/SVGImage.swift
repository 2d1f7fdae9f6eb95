// SPDX-License-Identifier: MIT
import GNSS

/// Renders a drawing as SVG 1.1. cairo is not used, because its SVG contains outlines instead of
/// letters: they cannot be searched, and depend on the machine's fonts.
package struct SVGImage {
    private var bytes: [UInt8] = []
    private var clips = 0

    /// Returns the drawing as SVG.
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
enum Halo {
    /// The width in pixels. Half of it is outside the letters.
    static let width = 3.0
}
