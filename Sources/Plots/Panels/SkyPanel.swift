// SPDX-License-Identifier: MIT
import Figures
import GNSS
import Glibc

/// Where the satellites went across the sky, and how well they were heard in each direction.
struct SkyPanel {
    let plot: Plot

    func draw(_ frame: Frame, on drawing: inout Drawing) {
        guard !plot.paths.isEmpty else {
            return Panel(frame, "Sky", on: &drawing).say(
                ["No satellites", "Nothing told where they stand (GSV)."], on: &drawing)
        }
        let used = plot.inView.count { $0.isUsed }
        let panel = Panel(
            frame, "Sky", note: "at the end \(used) used of \(plot.inView.count) in view",
            on: &drawing)
        let area = panel.body.inset(bottom: 94)
        let dial = Dial(
            middle: area.middle, radius: min(area.width - 44, area.height - 34) / 2)
        drawCells(dial, on: &drawing)
        dial.draw(on: &drawing)
        for (id, path) in plot.paths.sorted(by: { $0.key < $1.key }) {
            draw(path, Palette.color(id.constellation), dial, on: &drawing)
        }
        drawSatellites(dial, on: &drawing)
        drawLegend(panel.body.inset(top: panel.body.height - 82), on: &drawing)
    }

    // MARK: Signals

    /// dB-Hz that the palette reaches across.
    private static let range = 15.0...50.0

    private func drawCells(_ dial: Dial, on drawing: inout Drawing) {
        for cell in plot.cells.heard {
            let share =
                (cell.cn0 - Self.range.lowerBound)
                / (Self.range.upperBound - Self.range.lowerBound)
            drawing.add(.area(dial.outline(cell), Palette.signal.color(at: share)))
        }
    }

    // MARK: Satellites

    private func draw(
        _ path: SkyPath, _ color: Color, _ dial: Dial, on drawing: inout Drawing
    ) {
        var line: [Point] = []
        var isUsed = false
        func finish(_ drawing: inout Drawing) {
            guard line.count > 1 else { return }
            let stroke =
                isUsed ? Stroke(color, 1.8) : Stroke(color.opacity(0.6), 1, dash: 3)
            drawing.add(.line(line, stroke))
        }
        for point in path.points + [path.last].compactMap(\.self) {
            let place = dial.place(
                elevation: Double(point.elevation), azimuth: Double(point.azimuth))
            if point.beginsSegment {
                finish(&drawing)
                line = []
            } else if point.isUsed != isUsed, let last = line.last {
                finish(&drawing)
                line = [last]
            }
            isUsed = point.isUsed
            line.append(place)
        }
        finish(&drawing)
    }

    /// Where those of the last list stand: full where the fix used them.
    private func drawSatellites(_ dial: Dial, on drawing: inout Drawing) {
        var labels = LabelPlaces()
        for name in dial.names { labels.take(Frame(name.place.x - 6, name.place.y - 10, 12, 12)) }
        let shown = plot.inView.compactMap { satellite -> (SatelliteSummary, Point)? in
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth,
                elevation >= 0
            else { return nil }
            return (satellite, dial.place(elevation: elevation, azimuth: azimuth))
        }
        for (satellite, place) in shown {
            let color = Palette.color(satellite.id.constellation)
            drawing.add(.discs([place], radius: 5.5, color))
            let inside = satellite.isUsed ? color : Palette.card
            drawing.add(.discs([place], radius: 3.8, inside))
            labels.take(Frame(place.x - 5, place.y - 5, 10, 10))
        }
        for (satellite, place) in shown {
            guard let spot = labels.find(near: place, width: 23, height: 11) else { continue }
            let style = TextStyle(
                10, Palette.color(satellite.id.constellation), bold: satellite.isUsed)
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
        drawing.text("used by the fix", frame.x + 42, y + 4, Panel.label)
        let x = frame.x + 168
        drawing.add(.ring(Point(x + 6, y), radius: 4.5, Stroke(Palette.muted, 1.5)))
        drawing.line(Point(x + 14, y), Point(x + 34, y), Stroke(Palette.muted, 1, dash: 3))
        drawing.text("only in view", x + 42, y + 4, Panel.label)
        drawCounts(frame.inset(top: 52), on: &drawing)
    }

    /// How many there are of each constellation, in the last list.
    private func drawCounts(_ frame: Frame, on drawing: inout Drawing) {
        let constellations = Constellation.allCases.filter { constellation in
            plot.paths.keys.contains { $0.constellation == constellation }
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

/// The circle of the horizon, and where directions are on it.
private struct Dial {
    let middle: Point
    let radius: Double

    func place(elevation: Double, azimuth: Double) -> Point {
        let distance = radius * (90 - min(90, max(0, elevation))) / 90
        let angle = azimuth.truncatingRemainder(dividingBy: 360) * .pi / 180
        return Point(middle.x + distance * sin(angle), middle.y - distance * cos(angle))
    }

    /// A cell's edge, its arcs in pieces of some degrees.
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
        let stroke = Stroke(Palette.axis.opacity(0.7), 1)
        for elevation in [0.0, 30, 60] {
            let size = radius * (90 - elevation) / 90
            drawing.add(
                .ring(
                    middle, radius: size,
                    elevation == 0 ? Stroke(Palette.axis, 1.5) : stroke))
            guard elevation > 0 else { continue }
            drawing.add(
                .label(
                    "\(Int(elevation))°", Point(middle.x + 3, middle.y - size - 3),
                    TextStyle(10, Palette.muted), halo: Palette.card))
        }
        for azimuth in stride(from: 0.0, to: 180, by: 45) {
            drawing.line(
                place(elevation: 0, azimuth: azimuth), place(elevation: 0, azimuth: azimuth + 180),
                stroke)
        }
        for (name, place) in names {
            drawing.text(name, place.x, place.y, Panel.strong.anchored(.middle))
        }
    }

    /// Where the four quarters are written, each by the middle of its base line.
    var names: [(name: String, place: Point)] {
        [
            ("N", Point(middle.x, middle.y - radius - 8)),
            ("E", Point(middle.x + radius + 13, middle.y + 5)),
            ("S", Point(middle.x, middle.y + radius + 17)),
            ("W", Point(middle.x - radius - 13, middle.y + 5)),
        ]
    }
}
