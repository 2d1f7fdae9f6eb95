// SPDX-License-Identifier: MIT
import GNSS

/// Draws all panels of a plot on one sheet.
package enum Sheet {
    /// The size of the sheet in pixels.
    package static let size = (width: 1600, height: 1000)
    private static let margin = 20.0
    private static let space = 16.0
    /// The height of a chart in pixels.
    private static let chartHeight = 150.0

    /// Returns the drawing of a plot.
    package static func draw(_ plot: Plot) -> Drawing {
        let heading = SheetHeading(plot)
        var drawing = Drawing(
            width: size.width, height: size.height,
            title: [heading.banner?.text, heading.title, heading.lines.first]
                .compactMap(\.self).joined(separator: " - "))
        let whole = Frame(0, 0, Double(size.width), Double(size.height))
        drawing.fill(whole, Palette.paper)
        let top = heading.draw(whole, margin: margin, on: &drawing)
        let body = whole.inset(left: margin, top: top, right: margin, bottom: margin)
        let upper = body.inset(bottom: 2 * (chartHeight + space))
        drawUpperPanels(plot, upper, on: &drawing)
        let altitudes = Frame(body.x, upper.bottom + space, body.width, chartHeight)
        altitude(plot).draw(altitudes, on: &drawing)
        let speeds = Frame(body.x, altitudes.bottom + space, body.width, chartHeight)
        speed(plot).draw(speeds, on: &drawing)
        return drawing
    }

    private static func drawUpperPanels(_ plot: Plot, _ frame: Frame, on drawing: inout Drawing) {
        let width = frame.width - 2 * space
        let (map, sky) = ((width * 0.42).rounded(), (width * 0.29).rounded())
        MapPanel(plot: plot).draw(Frame(frame.x, frame.y, map, frame.height), on: &drawing)
        SkyPlotPanel(plot: plot).draw(
            Frame(frame.x + map + space, frame.y, sky, frame.height), on: &drawing)
        let x = frame.x + map + sky + 2 * space
        let third = Frame(x, frame.y, frame.right - x, frame.height)
        let scatter = ScatterPanel(plot)
        guard scatter.isMoving else { return scatter.draw(third, on: &drawing) }
        MotionPanel(plot: plot).draw(third.inset(bottom: chartHeight + space), on: &drawing)
        strength(plot).draw(third.inset(top: third.height - chartHeight), on: &drawing)
    }

    private static func strength(_ plot: Plot) -> ChartPanel {
        ChartPanel(
            plot: plot, title: "C/N0", series: plot.strength, unit: (1, "dB-Hz"), minimumRange: 5,
            isFromZero: false, color: Palette.color(.gps),
            absence: ["No C/N0", "No list of satellites had C/N0 (GSV)."])
    }

    private static func altitude(_ plot: Plot) -> ChartPanel {
        let isSeaLevel = plot.altitude.mean != nil || plot.ellipsoidalAltitude.mean == nil
        let unit = plot.settings.units.height
        return ChartPanel(
            plot: plot,
            title: isSeaLevel ? "Altitude above mean sea level" : "Altitude above the ellipsoid",
            series: isSeaLevel ? plot.altitude : plot.ellipsoidalAltitude,
            unit: (unit.metres, unit.sign), minimumRange: 2, isFromZero: false,
            color: Color(0x8A5300),
            absence: ["No altitude", "No fix had an altitude."])
    }

    private static func speed(_ plot: Plot) -> ChartPanel {
        let unit = plot.settings.units.speed
        return ChartPanel(
            plot: plot, title: "Speed over ground", series: plot.speed,
            unit: (unit.metres, unit.sign), minimumRange: 1, isFromZero: true,
            color: Palette.accent,
            absence: ["No speed", "No fix had a speed (RMC, VTG)."])
    }
}
