// SPDX-License-Identifier: MIT

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
    let resolution: Double

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
