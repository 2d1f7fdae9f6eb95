// SPDX-License-Identifier: MIT

/// The track on the map: lines of one colour each, as few as can be distinguished.
struct TrackLine {
    private struct Line {
        var points: [Point]
        let color: Color
    }

    /// Pixels that cannot be distinguished.
    private static let grain = 0.4
    /// Of a track that covers itself this many points are drawn at once, so that what is covered often
    /// is darker.
    private static let piece = 48

    private var lines: [Line] = []
    /// Pixels.
    private var length = 0.0
    private let area: Frame

    init(_ points: [PlottedPoint], _ view: MapView, _ coloring: MapColoring, _ area: Frame) {
        self.area = area
        for point in points {
            add(
                view.point(point.coordinate, area), coloring.color(point),
                goesOn: !point.beginsSegment)
        }
    }

    private mutating func add(_ place: Point, _ color: Color, goesOn: Bool) {
        guard goesOn, let line = lines.last, let last = line.points.last else {
            return lines.append(Line(points: [place], color: color))
        }
        let (x, y) = (place.x - last.x, place.y - last.y)
        if line.color != color {
            lines.append(Line(points: [last, place], color: color))
        } else if line.points.count > 1, abs(x) < Self.grain, abs(y) < Self.grain {
            return
        } else {
            lines[lines.count - 1].points.append(place)
        }
        length += (x * x + y * y).squareRoot()
    }

    func draw(on drawing: inout Drawing) {
        // Lines two pixels wide would cover a tenth of the map, and each other.
        let cover = length / max(1, area.width * area.height)
        let isDense = cover > 0.05
        for line in lines {
            guard line.points.count > 1 else {
                drawing.add(.discs(line.points, radius: 2, line.color))
                continue
            }
            guard isDense else {
                drawing.add(.line(line.points, Stroke(line.color, 2)))
                continue
            }
            let stroke = Stroke(line.color.opacity(max(0.1, 0.45 / max(1, cover))), 1)
            for start in stride(from: 0, to: line.points.count - 1, by: Self.piece) {
                let end = min(line.points.count, start + Self.piece + 1)
                drawing.add(.line(Array(line.points[start..<end]), stroke))
            }
        }
    }
}
