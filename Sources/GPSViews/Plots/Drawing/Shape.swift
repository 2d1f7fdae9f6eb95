// SPDX-License-Identifier: MIT

/// A place on a drawing: pixels to the right and down from its upper left corner.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// How a line is drawn.
package struct Stroke: Hashable, Sendable {
    package var color: Color
    /// Pixels.
    package var width: Double
    /// Pixels drawn and left out in turn; 0 for a line without gaps.
    package var dash: Double

    package init(_ color: Color, _ width: Double, dash: Double = 0) {
        self.color = color
        self.width = width
        self.dash = dash
    }
}

/// How text is written.
package struct TextStyle: Hashable, Sendable {
    /// Which part of the text stands at its place.
    package enum Anchor: Sendable { case start, middle, end }

    /// Pixels.
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

    /// The same with another part of the text at its place.
    package func anchored(_ anchor: Anchor) -> TextStyle {
        var style = self
        style.anchor = anchor
        return style
    }
}

/// One thing on a drawing.
package enum Shape: Hashable, Sendable {
    /// From point to point.
    case line([Point], Stroke)
    /// The area between the points.
    case area([Point], Color)
    /// A circle's line.
    case ring(Point, radius: Double, Stroke)
    /// Many small discs alike; where they lie on one another they cover more.
    case discs([Point], radius: Double, Color)
    /// One line of text; its base line begins, is centred or ends at the place.
    case text(String, Point, TextStyle)
    /// The same with a halo in another colour, to be read on anything.
    case label(String, Point, TextStyle, halo: Color)
    /// The shapes up to `unclip` are cut off at this frame.
    case clip(Frame)
    /// Ends `clip`; clips do not lie in one another.
    case unclip
}
