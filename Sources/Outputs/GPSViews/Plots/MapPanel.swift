// SPDX-License-Identifier: MIT
import GNSS

/// The colours of the track on the map. They show the speed if the receiver moved and reported its
/// speed, otherwise the quality.
private struct MapColoring {
    /// The number of steps on the colour scale for speeds. With more, neighbouring colours could
    /// not be distinguished.
    private static let classes = 12.0

    /// The speed in metres per second at the upper end of the colour scale; `nil` if the colours
    /// show the quality.
    private let topSpeed: Double?
    private let qualities: [(quality: FixQuality, count: Int)]

    init(_ counts: FixCounts, _ points: [PlottedPoint]) {
        let speeds = points.map(\.speed).filter { !$0.isNaN }.sorted()
        // The 98th percentile is used instead of the maximum, because a single wrong speed would
        // compress the scale.
        let top = speeds.isEmpty ? nil : speeds[speeds.count * 98 / 100]
        topSpeed = counts.isMoving == true ? top.map { max(1, Double($0)) } : nil
        qualities = counts.qualities
    }

    func color(_ point: PlottedPoint) -> Color {
        guard let topSpeed else { return Palette.color(point.quality) }
        guard !point.speed.isNaN else { return Palette.axis }
        let fraction = max(0, min(1, Double(point.speed) / topSpeed))
        return Palette.speed.color(at: (fraction * Self.classes).rounded() / Self.classes)
    }

    func drawLegend(_ frame: Frame, units: Units, on drawing: inout Drawing) {
        if let topSpeed {
            let unit = units.speed
            ColorBar(
                gradient: Palette.speed, range: 0...topSpeed / unit.metres,
                title: "Speed, \(unit.sign)"
            ).draw(frame, on: &drawing)
            return
        }
        var (x, y) = (frame.x, frame.y + 8)
        for (quality, count) in qualities {
            let text = "\(FixQualityText.kind(quality) ?? "unknown"): \(GroupedNumber.text(count))"
            let width = 26 + Double(text.count) * 7.4 + 14
            if x > frame.x, x + width > frame.right {
                (x, y) = (frame.x, y + 18)
            }
            drawing.line(Point(x, y), Point(x + 18, y), Stroke(Palette.color(quality), 3))
            drawing.text(text, x + 26, y + 4, PlotPanel.label)
            x += width
        }
    }
}

/// A colour scale with ticks and a title.
struct ColorBar {
    let gradient: Gradient
    let range: ClosedRange<Double>
    let title: String

    /// Draws the colour scale at the left of the frame, and the title to the right of it.
    func draw(_ frame: Frame, on drawing: inout Drawing) {
        let bar = Frame(frame.x, frame.y + 2, min(260, frame.width * 0.6), 10)
        let pieces = 52
        let width = bar.width / Double(pieces)
        for piece in 0..<pieces {
            let fraction = (Double(piece) + 0.5) / Double(pieces)
            // The parts overlap slightly, so that no gap is visible.
            let part = Frame(bar.x + Double(piece) * width, bar.y, width + 0.5, bar.height)
            drawing.fill(part, gradient.color(at: fraction))
        }
        let length = range.upperBound - range.lowerBound
        let ticks = AxisTicks(range.lowerBound, range.upperBound, about: 5)
        for value in ticks.values {
            let x = bar.x + (value - range.lowerBound) / max(1e-9, length) * bar.width
            drawing.line(Point(x, bar.bottom), Point(x, bar.bottom + 3), Stroke(Palette.axis, 1))
            drawing.text(ticks.text(value), x, bar.bottom + 15, PlotPanel.label.anchored(.middle))
        }
        drawing.text(title, bar.right + 14, bar.bottom, PlotPanel.label)
    }
}

/// The map of the track, drawn to scale with north at the top.
struct MapPanel {
    let plot: Plot

    func draw(_ frame: Frame, on drawing: inout Drawing) {
        let points = plot.track.points.filter { plot.regions.isShown(Int($0.region)) }
        guard let ends = plot.ends, !points.isEmpty else {
            return PlotPanel(frame, "Track", on: &drawing).write(
                ["No position", "No fix had a position."], on: &drawing)
        }
        let coloring = MapColoring(plot.counts, points)
        let shownEnds = shownEnds(ends, points)
        let view = MapView(points + shownEnds, size: frame, units: plot.settings.units)
        let panel = PlotPanel(frame, "Track", note: Self.text(view.plane.origin), on: &drawing)
        let area = panel.body.inset(bottom: 46)
        drawing.clipped(to: area) { drawing in
            drawGrid(view, area, on: &drawing)
            TrackLine(points, view, coloring, area).draw(on: &drawing)
            drawEnds(shownEnds.map { view.point($0.coordinate, area) }, area, on: &drawing)
        }
        drawing.outline(area, Stroke(Palette.edge, 1))
        let below = panel.body.inset(top: panel.body.height - 36)
        drawNorth(Point(below.right - 10, below.y + 14), on: &drawing)
        let scaleWidth = view.scaleLength / view.metresPerPixel
        drawScale(view, Point(below.right - 34 - scaleWidth, below.y + 24), on: &drawing)
        coloring.drawLegend(
            below.inset(right: scaleWidth + 54), units: plot.settings.units, on: &drawing)
        drawNotes(area, on: &drawing)
    }

    /// Returns the first and the last point of the track. If one of them lies in a region that is
    /// not shown, the first or the last of the shown `points` replaces it. Returns one point for a
    /// single fix.
    private func shownEnds(
        _ ends: (first: PlottedPoint, last: PlottedPoint), _ points: [PlottedPoint]
    ) -> [PlottedPoint] {
        if plot.counts.positions == 1 { return [ends.first] }
        func shown(_ end: PlottedPoint, or other: PlottedPoint?) -> PlottedPoint? {
            plot.regions.isShown(Int(end.region)) ? end : other
        }
        return [shown(ends.first, or: points.first), shown(ends.last, or: points.last)]
            .compactMap(\.self)
    }

    /// Returns the position of the map's centre as text.
    private static func text(_ position: Coordinate) -> String {
        let latitude =
            String(abs(position.latitude), decimals: 5) + (position.latitude < 0 ? "° S" : "° N")
        let longitude =
            String(abs(position.longitude), decimals: 5) + (position.longitude < 0 ? "° W" : "° E")
        return "about \(latitude), \(longitude), WGS 84"
    }

    private func drawEnds(_ places: [Point], _ area: Frame, on drawing: inout Drawing) {
        guard let first = places.first, let last = places.last else { return }
        let size = TextStyle(12, Palette.ink, bold: true)
        func mark(_ position: Point, _ color: Color) {
            drawing.add(.discs([position], radius: 6.5, Palette.card))
            drawing.add(.discs([position], radius: 5, color))
        }
        func name(_ text: String, _ position: Point, above: Bool) {
            let isRight = position.x < area.right - 90
            let at = Point(position.x + (isRight ? 9 : -9), position.y + (above ? -6 : 14))
            let style = size.anchored(isRight ? .start : .end)
            drawing.add(.label(text, at, style, halo: Palette.card))
        }
        mark(first, Palette.start)
        guard places.count > 1 else { return name("the only fix", first, above: true) }
        mark(last, Palette.end)
        // One label is above and the other below, so that both are readable when the ends are close
        // together.
        name("start", first, above: first.y <= last.y)
        name("end", last, above: first.y > last.y)
    }

    // MARK: Scale and north

    private func drawGrid(_ view: MapView, _ area: Frame, on drawing: inout Drawing) {
        let step = view.scaleLength / view.metresPerPixel
        guard step > 20 else { return }
        let stroke = Stroke(Palette.grid, 1)
        let middle = area.middle
        // Grid lines are ordered from the centre outwards.
        func offsets(_ length: Double) -> [Double] {
            [0]
                + (1...Int(length / step / 2 + 1)).flatMap {
                    [-Double($0) * step, Double($0) * step]
                }
        }
        for x in offsets(area.width).map({ middle.x + $0 }) {
            drawing.line(Point(x, area.y), Point(x, area.bottom), stroke)
        }
        for y in offsets(area.height).map({ middle.y + $0 }) {
            drawing.line(Point(area.x, y), Point(area.right, y), stroke)
        }
    }

    private func drawScale(_ view: MapView, _ start: Point, on drawing: inout Drawing) {
        let (x, y) = (start.x, start.y)
        let width = view.scaleLength / view.metresPerPixel
        let bar = [
            Point(x, y - 5), Point(x, y), Point(x + width, y), Point(x + width, y - 5),
        ]
        drawing.add(.line(bar, Stroke(Palette.ink, 2)))
        drawing.text(
            plot.settings.units.scale(view.scaleLength), x + width / 2, y - 7,
            PlotPanel.strong.anchored(.middle))
    }

    private func drawNorth(_ position: Point, on drawing: inout Drawing) {
        func point(_ x: Double, _ y: Double) -> Point { Point(position.x + x, position.y + y) }
        drawing.add(
            .area([point(0, -14), point(7, 8), point(0, 3), point(-7, 8)], Palette.ink))
        drawing.text("N", position.x, position.y + 22, PlotPanel.strong.anchored(.middle))
    }

    // MARK: Notes

    private func drawNotes(_ area: Frame, on drawing: inout Drawing) {
        var notes: [String] = []
        if let strays = plot.regions.strays {
            let far = plot.settings.units.scale(strays.distance)
            let what = Plural.text(strays.count, "fix is", "fixes are")
            notes.append(
                "\(what) left out: up to \(far) away, farther than a receiver can have moved")
        }
        if plot.track.isPartial {
            notes.append("the track overlaps itself so often that not all of it is drawn")
        }
        for (index, note) in notes.enumerated() {
            drawing.add(
                .label(
                    note, Point(area.x + 12, area.y + 20 + Double(index) * 17), PlotPanel.label,
                    halo: Palette.card))
        }
    }
}

/// The area that the map shows, and its scale.
private struct MapView {
    /// The local plane of the map. It touches the Earth at the plotted position that is nearest to
    /// the map's centre.
    let plane: LocalPlane
    let metresPerPixel: Double
    /// The length of the scale bar in metres: a round number in the displayed units.
    let scaleLength: Double
    private let middle: LocalPlane.Point

    /// The minimum height of the map in metres. On a smaller map, only noise would be visible.
    private static let minimumHeight = 10.0
    /// The width and height of the panel's border, and the margin between the track and the edge of
    /// the map, in pixels.
    private static let surroundings = (width: 28.0, height: 94.0, margin: 34.0)

    /// Creates a view of all points for a panel of the given size. There must be at least one
    /// point.
    init(_ points: [PlottedPoint], size: Frame, units: Units) {
        let first = points.first?.coordinate ?? Coordinate(latitude: 0, longitude: 0)
        let coordinates = points.map(\.coordinate)
        let rough = LocalPlane(at: first)
        let middle = PlaneBox(coordinates, on: rough).middle
        // The centre is known only on the rough plane, so the map's plane touches the Earth at the
        // plotted position nearest to it.
        let distances = coordinates.map { rough.point(at: $0).distance(to: middle) }
        let nearest = zip(coordinates, distances).min { $0.1 < $1.1 }?.0
        plane = LocalPlane(at: nearest ?? first)
        let box = PlaneBox(coordinates, on: plane)
        self.middle = box.middle
        let width = max(1, size.width - Self.surroundings.width - 2 * Self.surroundings.margin)
        let height = max(1, size.height - Self.surroundings.height - 2 * Self.surroundings.margin)
        metresPerPixel = max(
            box.width / width, box.height / height, Self.minimumHeight / height)
        scaleLength = units.roundLength(notAbove: metresPerPixel * width / 3.5)
    }

    /// Returns the point of a coordinate on a map that is drawn in `area`.
    func point(_ coordinate: Coordinate, _ area: Frame) -> Point {
        let position = plane.point(at: coordinate)
        return Point(
            area.middle.x + (position.east - middle.east) / metresPerPixel,
            area.middle.y - (position.north - middle.north) / metresPerPixel)
    }
}

/// Draws the track on the map with as few lines as possible without a visible difference. Each line
/// has a single colour.
private struct TrackLine {
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
