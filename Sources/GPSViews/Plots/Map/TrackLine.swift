// SPDX-License-Identifier: MIT

/// The track on the map, as few lines of one colour each as can be distinguished.
struct TrackLine {
    /// The distance in pixels that cannot be seen.
    private static let resolution = 0.4
    /// The number of points of an overlapping track that are drawn at once, so that places that are
    /// covered often become darker.
    private static let piece = 48

    private var track: StyledLines<Color>
    private let area: Frame

    init(_ points: [PlottedPoint], _ view: MapView, _ coloring: MapColoring, _ area: Frame) {
        self.area = area
        track = StyledLines(resolution: Self.resolution)
        for point in points {
            track.add(
                view.point(point.coordinate, area), coloring.color(point),
                continuesLine: !point.beginsSegment)
        }
    }

    func draw(on drawing: inout Drawing) {
        // Above this, lines two pixels wide would cover a tenth of the map and overlap each other.
        let cover = track.length / max(1, area.width * area.height)
        let isDense = cover > 0.05
        for line in track.lines {
            guard line.points.count > 1 else {
                drawing.add(.discs(line.points, radius: 2, line.style))
                continue
            }
            guard isDense else {
                drawing.add(.line(line.points, Stroke(line.style, 2)))
                continue
            }
            let stroke = Stroke(line.style.opacity(max(0.1, 0.45 / max(1, cover))), 1)
            for start in stride(from: 0, to: line.points.count - 1, by: Self.piece) {
                let end = min(line.points.count, start + Self.piece + 1)
                drawing.add(.line(Array(line.points[start..<end]), stroke))
            }
        }
    }
}
