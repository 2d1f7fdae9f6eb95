// SPDX-License-Identifier: MIT
import GNSS

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
