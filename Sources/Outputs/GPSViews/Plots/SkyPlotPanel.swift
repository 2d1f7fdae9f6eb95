// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The paths of the satellites across the sky, and the mean C/N0 in each direction.
struct SkyPlotPanel {
    let plot: Plot

    func draw(_ frame: Frame, on drawing: inout Drawing) {
        guard !plot.paths.isEmpty else {
            return PlotPanel(frame, "Sky", on: &drawing).write(
                ["No satellites", "No list of satellites had directions (GSV)."], on: &drawing)
        }
        let used = plot.inView.count { $0.isUsed }
        let panel = PlotPanel(
            frame, "Sky", note: "at the end \(used) used of \(plot.inView.count) in view",
            on: &drawing)
        let area = panel.body.inset(bottom: 94)
        let dial = HorizonCircle(
            middle: area.middle, radius: min(area.width - 44, area.height - 34) / 2)
        drawCells(dial, on: &drawing)
        dial.draw(on: &drawing)
        drawPaths(dial, on: &drawing)
        drawSatellites(dial, on: &drawing)
        drawLegend(panel.body.inset(top: panel.body.height - 82), on: &drawing)
    }

    // MARK: Signals

    /// The range of C/N0 that the palette covers, in dB-Hz.
    private static let range = 15.0...50.0

    private func drawCells(_ dial: HorizonCircle, on drawing: inout Drawing) {
        for cell in plot.cells.received {
            let fraction =
                (cell.cn0 - Self.range.lowerBound)
                / (Self.range.upperBound - Self.range.lowerBound)
            drawing.add(.area(dial.outline(cell), Palette.signal.color(at: fraction)))
        }
    }

    // MARK: Satellites

    /// The style of a path. The line is dashed where the fix did not use the satellite.
    private struct PathStyle: Equatable {
        let color: Color
        let isUsed: Bool
    }

    /// Draws the paths of all satellites. If there are many, the lines are thinner and more
    /// transparent, so that the cells remain visible.
    private func drawPaths(_ dial: HorizonCircle, on drawing: inout Drawing) {
        var paths = StyledLines<PathStyle>()
        for satellite in plot.paths {
            let color = Palette.color(satellite.id.constellation)
            for point in satellite.path.points + [satellite.path.last].compactMap(\.self) {
                let position = dial.place(
                    elevation: Double(point.elevation), azimuth: Double(point.azimuth))
                paths.add(
                    position, PathStyle(color: color, isUsed: point.isUsed),
                    continuesLine: !point.beginsSegment)
            }
        }
        let cover = paths.length / (.pi * dial.radius * dial.radius)
        let opacity = cover < 0.04 ? 1 : max(0.35, 0.75 - cover)
        for line in paths.lines where line.points.count > 1 {
            let isUsed = line.style.isUsed
            let color = line.style.color.opacity(isUsed ? opacity : opacity * 0.6)
            let width = isUsed && cover < 0.04 ? 1.8 : 1
            drawing.add(.line(line.points, Stroke(color, width, dash: isUsed ? 0 : 3)))
        }
    }

    /// Draws the satellites of the most recent list. A disc is filled if the fix uses the
    /// satellite.
    private func drawSatellites(_ dial: HorizonCircle, on drawing: inout Drawing) {
        var labels = LabelPlaces()
        for name in dial.names { labels.take(Frame(name.place.x - 6, name.place.y - 10, 12, 12)) }
        let shown = plot.inView.compactMap { satellite -> (Satellite, Point)? in
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth,
                elevation >= 0
            else { return nil }
            return (satellite, dial.place(elevation: elevation, azimuth: azimuth))
        }
        for (satellite, position) in shown {
            let color = Palette.color(satellite.id.constellation)
            drawing.add(.discs([position], radius: 5.5, color))
            let inside = satellite.isUsed ? color : Palette.card
            drawing.add(.discs([position], radius: 3.8, inside))
            labels.take(Frame(position.x - 5, position.y - 5, 10, 10))
        }
        for (satellite, position) in shown {
            let width = satellite.id.description.count > 3 ? 29.0 : 23
            guard let (spot, isFar) = labels.find(near: position, width: width, height: 11) else {
                continue
            }
            let color = Palette.color(satellite.id.constellation)
            if isFar { drawing.line(position, spot.middle, Stroke(color, 0.8)) }
            let style = TextStyle(10, color, bold: satellite.isUsed)
            drawing.add(
                .label(
                    satellite.id.description, Point(spot.x, spot.bottom - 2), style,
                    halo: Palette.card))
        }
    }

    // MARK: Legend

    private func drawLegend(_ frame: Frame, on drawing: inout Drawing) {
        ColorBar(gradient: Palette.signal, range: Self.range, title: "mean C/N0, dB-Hz")
            .draw(frame, on: &drawing)
        let y = frame.y + 41
        drawing.add(.discs([Point(frame.x + 6, y)], radius: 5, Palette.muted))
        drawing.line(Point(frame.x + 14, y), Point(frame.x + 34, y), Stroke(Palette.muted, 2))
        drawing.text("used by the fix", frame.x + 42, y + 4, PlotPanel.label)
        let x = frame.x + 168
        drawing.add(.ring(Point(x + 6, y), radius: 4.5, Stroke(Palette.muted, 1.5)))
        drawing.line(Point(x + 14, y), Point(x + 34, y), Stroke(Palette.muted, 1, dash: 3))
        drawing.text("only in view", x + 42, y + 4, PlotPanel.label)
        drawCounts(frame.inset(top: 52), on: &drawing)
    }

    /// Draws the numbers of used and of all satellites in the most recent list, for each
    /// constellation.
    private func drawCounts(_ frame: Frame, on drawing: inout Drawing) {
        let constellations = Constellation.allCases.filter { constellation in
            plot.paths.contains { $0.id.constellation == constellation }
        }
        let columns = 4
        for (index, constellation) in constellations.enumerated() {
            let those = plot.inView.filter { $0.id.constellation == constellation }
            let x = frame.x + Double(index % columns) * frame.width / Double(columns)
            let y = frame.y + Double(index / columns) * 18
            let color = Palette.color(constellation)
            drawing.add(.discs([Point(x + 6, y + 8)], radius: 4.5, color))
            let sum = "\(those.count { $0.isUsed })/\(those.count)"
            drawing.text(
                "\(constellation.name) \(sum)", x + 15, y + 12, TextStyle(11, color, bold: true))
        }
    }
}

/// Finds positions for labels, so that they do not overlap.
private struct LabelPlaces {
    private var taken: [Frame] = []

    /// Marks a frame as occupied.
    mutating func take(_ frame: Frame) {
        taken.append(frame)
    }

    /// Finds and occupies a free frame for a label. It is next to the mark at `position` if
    /// possible. Otherwise it is farther away, and `isFar` is `true`: a line should connect the
    /// label with its mark.
    ///
    /// Returns `nil` if no frame is free.
    mutating func find(
        near position: Point, width: Double, height: Double
    ) -> (frame: Frame, isFar: Bool)? {
        for (index, distance) in [7.0, 15, 24, 34].enumerated() {
            let slant = distance * 0.7
            let frames = [
                Frame(position.x + distance, position.y - height / 2, width, height),
                Frame(position.x - distance - width, position.y - height / 2, width, height),
                Frame(position.x - width / 2, position.y - distance - height, width, height),
                Frame(position.x - width / 2, position.y + distance, width, height),
                Frame(position.x + slant, position.y - slant - height, width, height),
                Frame(position.x - slant - width, position.y + slant, width, height),
                Frame(position.x + slant, position.y + slant, width, height),
                Frame(position.x - slant - width, position.y - slant - height, width, height),
            ]
            let free = frames.first { frame in !taken.contains { $0.intersects(frame) } }
            guard let free else { continue }
            taken.append(free)
            return (free, index > 0)
        }
        return nil
    }
}

extension Frame {
    fileprivate func intersects(_ other: Frame) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}

/// The scatter of a stationary receiver's positions around their mean, or around the true position.
struct ScatterPanel {
    /// The maximum number of positions drawn as discs.
    private static let discs = 2000
    /// The CEP95 in metres above which a receiver that reports no speed counts as moving.
    private static let standstill = 250.0

    let plot: Plot
    /// The scatter around the true position, or around the mean if that is not known.
    private let scatter: Scatter
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

/// The circle of the horizon. Converts directions to points in it.
struct HorizonCircle {
    private static let stroke = Stroke(Palette.axis.opacity(0.7), 1)

    let middle: Point
    let radius: Double

    func place(elevation: Double, azimuth: Double) -> Point {
        let distance = radius * (90 - min(90, max(0, elevation))) / 90
        let angle = azimuth.truncatingRemainder(dividingBy: 360) * .pi / 180
        return Point(middle.x + distance * sin(angle), middle.y - distance * cos(angle))
    }

    /// Returns the outline of a cell. Arcs are approximated by segments of a few degrees.
    func outline(_ cell: SkyCells.Cell) -> [Point] {
        let length = cell.azimuths.upperBound - cell.azimuths.lowerBound
        let pieces = max(2, Int(length / 4))
        let azimuths = (0...pieces).map {
            cell.azimuths.lowerBound + length * Double($0) / Double(pieces)
        }
        let inner = azimuths.map { place(elevation: cell.elevations.upperBound, azimuth: $0) }
        let outer = azimuths.reversed().map {
            place(elevation: cell.elevations.lowerBound, azimuth: $0)
        }
        return inner + outer
    }

    func draw(on drawing: inout Drawing) {
        drawing.add(.ring(middle, radius: radius, Stroke(Palette.axis, 1.5)))
        for elevation in [30.0, 60] {
            drawRing(radius * (90 - elevation) / 90, "\(Int(elevation))°", on: &drawing)
        }
        for azimuth in stride(from: 0.0, to: 180, by: 45) {
            drawing.line(
                place(elevation: 0, azimuth: azimuth), place(elevation: 0, azimuth: azimuth + 180),
                Self.stroke)
        }
        drawNames(on: &drawing)
    }

    /// Draws a circle with a label above it. `size` is its radius in pixels.
    func drawRing(_ size: Double, _ text: String, on drawing: inout Drawing) {
        drawing.add(.ring(middle, radius: size, Self.stroke))
        drawing.add(
            .label(
                text, Point(middle.x + 3, middle.y - size - 3), TextStyle(10, Palette.muted),
                halo: Palette.card))
    }

    func drawNames(on drawing: inout Drawing) {
        for (name, place) in names {
            drawing.text(name, place.x, place.y, PlotPanel.strong.anchored(.middle))
        }
    }

    /// The labels of the four cardinal directions, with the points at the middle of their
    /// baselines.
    var names: [(name: String, place: Point)] {
        [
            ("N", Point(middle.x, middle.y - radius - 8)),
            ("E", Point(middle.x + radius + 13, middle.y + 5)),
            ("S", Point(middle.x, middle.y + radius + 17)),
            ("W", Point(middle.x - radius - 13, middle.y + 5)),
        ]
    }
}
