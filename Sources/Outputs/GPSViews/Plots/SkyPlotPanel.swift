// SPDX-License-Identifier: MIT
import GNSS

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
