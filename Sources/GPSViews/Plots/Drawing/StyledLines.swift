// SPDX-License-Identifier: MIT

/// Connected points as lines of one style each, with as few lines and points as possible.
struct StyledLines<Style: Equatable> {
    struct Line {
        fileprivate(set) var points: [Point]
        let style: Style
    }

    private(set) var lines: [Line] = []
    /// The length of all lines in pixels.
    private(set) var length = 0.0
    /// The distance in pixels that cannot be seen; a point closer than that to the previous one is
    /// left out.
    let resolution: Double

    init(resolution: Double = 0) {
        self.resolution = resolution
    }

    /// Continues the line to a point if `continuesLine`; otherwise begins a new line there.
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
