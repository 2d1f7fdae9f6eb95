// SPDX-License-Identifier: MIT

/// Shapes in drawing order, independent of the image format.
package struct Drawing: Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
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

    /// Draws `body` clipped to a frame.
    mutating func clipped(to frame: Frame, _ body: (inout Drawing) -> Void) {
        shapes.append(.clip(frame))
        body(&self)
        shapes.append(.unclip)
    }
}
