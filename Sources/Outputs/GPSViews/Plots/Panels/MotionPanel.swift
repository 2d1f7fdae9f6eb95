// SPDX-License-Identifier: MIT
import GNSS

/// The statistics of a receiver that moved: distance, times, speeds, altitudes, and speed by
/// course.
struct MotionPanel {
    let plot: Plot

    private static let (listWidth, rowHeight) = (186.0, 24.0)

    func draw(_ frame: Frame, on drawing: inout Drawing) {
        let panel = PlotPanel(
            frame, "Trip", note: "for a scatter choose a time at rest: --after, --before",
            on: &drawing)
        for (index, row) in plot.trip.rows(plot.settings.units).enumerated() {
            let y = panel.body.y + 14 + Double(index) * Self.rowHeight
            drawing.text(row.name, panel.body.x, y, PlotPanel.label)
            drawing.text(row.value, panel.body.x + 106, y, PlotPanel.strong)
        }
        if !plot.speedByCourse.isEmpty {
            drawSpeeds(panel.body.inset(left: Self.listWidth), on: &drawing)
        }
    }

    // MARK: Speed by course

    private func drawSpeeds(_ frame: Frame, on drawing: inout Drawing) {
        let unit = plot.settings.units.speed
        drawing.text(
            "Speed by course, \(unit.sign)", frame.middle.x, frame.y + 14,
            PlotPanel.strong.anchored(.middle))
        let area = frame.inset(top: 20, bottom: 20)
        let dial = HorizonCircle(
            middle: Point(area.middle.x, area.middle.y),
            radius: max(20, min(area.width - 44, area.height - 38) / 2))
        let sectors = plot.speedByCourse.all
        let top = max(0.001, sectors.map(\.greatest).max() ?? 0)
        let scale = dial.radius / top
        for (speed, color) in [
            (\SpeedByCourse.Sector.greatest, Palette.accent.opacity(0.25)),
            (\SpeedByCourse.Sector.mean, Palette.accent.opacity(0.75)),
        ] {
            for (index, sector) in sectors.enumerated() where sector.count > 0 {
                let course = Double(index) * 360 / Double(SpeedByCourse.sectors)
                drawing.add(
                    .area(dial.wedge(course, radius: sector[keyPath: speed] * scale), color))
            }
        }
        let ticks = AxisTicks(0, top / unit.metres, about: 4)
        for value in ticks.values where value > 0 {
            dial.drawRing(value * unit.metres * scale, ticks.text(value), on: &drawing)
        }
        dial.drawNames(on: &drawing)
        let y = frame.bottom - 4
        for (name, opacity, x) in [("mean", 0.75, -64.0), ("greatest", 0.25, 8)] {
            drawing.fill(
                Frame(dial.middle.x + x, y - 9, 10, 10), Palette.accent.opacity(opacity))
            drawing.text(name, dial.middle.x + x + 14, y, PlotPanel.label)
        }
    }
}

extension HorizonCircle {
    /// Returns the outline of a circular sector whose axis is the given course, in degrees. Its tip
    /// is at the middle of the circle. `radius` is in pixels.
    fileprivate func wedge(_ course: Double, radius: Double) -> [Point] {
        let circle = HorizonCircle(middle: middle, radius: radius)
        let half = 180 / Double(SpeedByCourse.sectors)
        return [middle]
            + [-half, 0, half].map { circle.place(elevation: 0, azimuth: course + $0) }
    }
}
