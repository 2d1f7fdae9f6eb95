// SPDX-License-Identifier: MIT

/// Shapes in the order in which they are painted, for any format of images.
package struct Drawing: Sendable {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// A title of one line.
    package let title: String
    /// From the lowest to the uppermost.
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

    /// Draws within a frame only.
    mutating func clipped(to frame: Frame, _ body: (inout Drawing) -> Void) {
        shapes.append(.clip(frame))
        body(&self)
        shapes.append(.unclip)
    }
}
