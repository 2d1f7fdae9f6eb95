// SPDX-License-Identifier: MIT

/// A rectangle in a drawing, in pixels.
package struct Frame: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

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
