// SPDX-License-Identifier: MIT

/// Points joined by lines of one style each, as few as there can be.
struct StyledLines<Style: Equatable> {
    struct Line {
        fileprivate(set) var points: [Point]
        let style: Style
    }

    private(set) var lines: [Line] = []
    /// Pixels of all lines together.
    private(set) var length = 0.0
    /// Pixels that cannot be distinguished; a point that near to the one before is left out.
    let grain: Double

    init(grain: Double = 0) {
        self.grain = grain
    }

    /// Goes on to a point, or begins with it.
    mutating func add(_ point: Point, _ style: Style, goesOn: Bool) {
        guard goesOn, let line = lines.last, let last = line.points.last else {
            return lines.append(Line(points: [point], style: style))
        }
        let (x, y) = (point.x - last.x, point.y - last.y)
        if line.style != style {
            lines.append(Line(points: [last, point], style: style))
        } else if line.points.count > 1, abs(x) < grain, abs(y) < grain {
            return
        } else {
            lines[lines.count - 1].points.append(point)
        }
        length += (x * x + y * y).squareRoot()
    }
}
