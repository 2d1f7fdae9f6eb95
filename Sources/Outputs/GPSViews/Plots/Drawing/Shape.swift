// SPDX-License-Identifier: MIT

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
    package var color: Color
    /// The width in pixels.
    package var width: Double
    /// The length of dashes and of gaps in pixels; 0 for a solid line.
    package var dash: Double

    package init(_ color: Color, _ width: Double, dash: Double = 0) {
        self.color = color
        self.width = width
        self.dash = dash
    }
}

/// The style of text.
package struct TextStyle: Hashable, Sendable {
    /// The part of the text that is at the text's point.
    package enum Anchor: Sendable { case start, middle, end }

    /// The font size in pixels.
    package var size: Double
    package var color: Color
    package var isBold = false
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
