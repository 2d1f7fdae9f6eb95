// SPDX-License-Identifier: MIT
import GNSS

/// The scatter of a stationary receiver's positions around their mean, or around the true position.
struct ScatterPanel {
    /// The maximum number of positions drawn as discs.
    private static let discs = 2000
    /// The CEP95 in metres above which a receiver that reports no speed counts as moving.
    private static let standstill = 250.0

    let plot: Plot
    /// The scatter around the true position, or around the mean if that is not known.
    let scatter: Scatter
    /// The number of positions of fixes at a low or unknown speed. The scatter contains a sample of
    /// them.
    let count: Int
    /// The number of positions that are left out because of their speed.
    private let fastCount: Int
    private let mean: LocalPlane.Point

    init(_ plot: Plot) {
        self.plot = plot
        guard let main = plot.regions.main else {
            (scatter, count, fastCount) = (Scatter([]), 0, 0)
            mean = .init(east: 0, north: 0)
            return
        }
        let region = plot.regions.all[main]
        let points = plot.sample.values.filter { $0.region == main }.map(\.position)
        // The true position may be far outside the region.
        let truth = plot.settings.truth.map { region.plane.point(at: $0) }
        let about = truth ?? region.mean
        mean = LocalPlane.Point(
            east: region.mean.east - about.east, north: region.mean.north - about.north)
        count = region.slowCount
        fastCount = region.count - region.slowCount
        scatter = Scatter(
            points.map { .init(east: $0.east - about.east, north: $0.north - about.north) })
    }

    private var units: Units { plot.settings.units }
    private var isAboutTruth: Bool { plot.settings.truth != nil }

    /// Whether the receiver moved, so that a scatter plot is not meaningful.
    var isMoving: Bool {
        plot.counts.isMoving ?? (!isAboutTruth && scatter.cep95 > Self.standstill)
    }

    func draw(_ frame: Frame, on drawing: inout Drawing) {
        guard count > 1 else {
            let why = count == 0 ? "No fix had a position." : "A scatter needs more positions."
            let title = count == 0 ? "No position" : "One position"
            return PlotPanel(frame, "Scatter", on: &drawing).write([title, why], on: &drawing)
        }
        let what = isAboutTruth ? "the true place" : "the mean"
        let panel = PlotPanel(frame, "Scatter", note: "about \(what)", on: &drawing)
        drawPlaces(panel.body, on: &drawing)
    }

    private func drawPlaces(_ body: Frame, on drawing: inout Drawing) {
        let side = min(body.width, body.height - 88)
        let area = Frame(body.middle.x - side / 2, body.y, side, side)
        let reach = max(scatter.cep95 * 1.5, mean.distance * 1.2, 0.005)
        let scale = side / 2 / reach
        func point(_ position: LocalPlane.Point) -> Point {
            Point(area.middle.x + position.east * scale, area.middle.y - position.north * scale)
        }
        drawGrid(area, scale, on: &drawing)
        // A subset is drawn, evenly distributed over the sampled positions.
        let every = scatter.points.count / Self.discs + 1
        let points = stride(from: 0, to: scatter.points.count, by: every).map {
            point(scatter.points[$0])
        }
        // The circles are drawn below the points, so that they hide none.
        drawing.clipped(to: area) { drawing in
            for (radius, color) in [
                (scatter.cep50, Palette.start), (scatter.cep95, Palette.end),
            ] {
                drawing.add(.ring(area.middle, radius: radius * scale, Stroke(color, 2)))
            }
        }
        let inside = points.filter { area.contains($0) }
        let size = points.count > 500 ? 1.8 : 2.6
        drawing.add(.discs(inside, radius: size, Palette.accent.opacity(0.35)))
        drawing.outline(area, Stroke(Palette.edge, 1))
        cross(area.middle, Palette.ink, on: &drawing)
        if isAboutTruth { cross(point(mean), Palette.accent, on: &drawing) }
        let outside = scatter.points.count { !area.contains(point($0)) }
        drawLegend(
            Frame(body.x, area.bottom + 10, body.width, 80), outside: outside, on: &drawing)
    }

    private func cross(_ position: Point, _ color: Color, on drawing: inout Drawing) {
        let stroke = Stroke(color, 1.5)
        drawing.line(Point(position.x - 7, position.y), Point(position.x + 7, position.y), stroke)
        drawing.line(Point(position.x, position.y - 7), Point(position.x, position.y + 7), stroke)
    }

    private func drawGrid(_ area: Frame, _ scale: Double, on drawing: inout Drawing) {
        let (reach, unit) = (area.width / 2 / scale, units.height)
        let ticks = AxisTicks(-reach / unit.metres, reach / unit.metres, about: 7)
        for value in ticks.values {
            let offset = value * unit.metres * scale
            let (x, y) = (area.middle.x + offset, area.middle.y - offset)
            let stroke = Stroke(Palette.grid, 1)
            drawing.line(Point(x, area.y), Point(x, area.bottom), stroke)
            drawing.line(Point(area.x, y), Point(area.right, y), stroke)
            guard abs(offset) < area.width / 2 - 20 else { continue }
            drawing.text(
                ticks.text(value), x, area.bottom - 4,
                TextStyle(10, Palette.muted, .middle))
            guard value != 0 else { continue }
            drawing.text(ticks.text(value), area.x + 4, y + 4, TextStyle(10, Palette.muted))
        }
        drawing.text(unit.sign, area.right - 4, area.bottom - 4, PlotPanel.strong.anchored(.end))
    }

    // MARK: Text

    private func drawLegend(_ frame: Frame, outside: Int, on drawing: inout Drawing) {
        let whole = "\(GroupedNumber.text(count)) positions"
        let isSample = scatter.points.count < count
        var lines = [
            isSample
                ? "of a sample of \(GroupedNumber.text(scatter.points.count)) of \(whole)"
                : "of \(whole)"
        ]
        let others = [
            outside > 0 ? "\(GroupedNumber.text(outside)) beyond the edge" : nil,
            fastCount > 0
                ? "\(GroupedNumber.text(fastCount)) left out because of their speed" : nil,
        ].compactMap(\.self)
        if !others.isEmpty { lines.append(others.joined(separator: ", ")) }
        if isAboutTruth {
            lines.append("blue cross: the mean, \(length(mean.distance)) off")
        } else {
            lines.append("precision, not accuracy: the true position is unknown")
        }
        var x = frame.x
        for (name, radius, color) in [
            ("CEP50", scatter.cep50, Palette.start), ("CEP95", scatter.cep95, Palette.end),
        ] {
            drawing.add(.ring(Point(x + 7, frame.y + 10), radius: 6, Stroke(color, 2)))
            drawing.text(
                "\(name) \(length(radius))", x + 22, frame.y + 15,
                TextStyle(15, Palette.ink, bold: true))
            x += frame.width / 2
        }
        for (index, line) in lines.enumerated() {
            drawing.text(line, frame.x, frame.y + 40 + Double(index) * 18, PlotPanel.label)
        }
    }

    /// Returns a length in metres as text in the displayed unit, with three decimals below 1 unit,
    /// two below 10 units, otherwise one.
    private func length(_ metres: Double) -> String {
        let value = metres / units.height.metres
        return units.length(metres, decimals: value < 1 ? 3 : value < 10 ? 2 : 1)
    }
}
