// SPDX-License-Identifier: MIT

/// Draws the track on the map with as few lines as possible without a visible difference. Each line
/// has a single colour.
struct TrackLine {
    /// The maximum distance in pixels that is not visible.
    private static let resolution = 0.4
    /// On a map with overlapping tracks, this number of points is drawn as one translucent line.
    /// Places that are covered by several lines become darker.
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
        // Above this length, lines two pixels wide would cover a tenth of the map.
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
