// SPDX-License-Identifier: MIT
import GNSS

/// The heading of the sheet: the sources, the time span, the number of fixes, and a warning if the
/// data is not live.
private struct SheetHeading {
    let title: String
    let lines: [String]
    /// The warning that the data is simulated, recorded or of unknown origin; `nil` for live data.
    let banner: (text: String, color: Color)?

    private static let maximumLength = 96

    init(_ plot: Plot) {
        title = Self.shortened(Self.name(plot.names))
        let banner = Self.banner(plot.counts)
        let isHidden = plot.settings.isOfRecordings && banner?.text == Self.replayed
        lines = [
            Self.span(plot.counts),
            Self.counts(plot.counts) + (isHidden ? " · from a recording" : ""),
        ]
        self.banner = isHidden ? nil : banner
    }

    private static func name(_ names: [String]) -> String {
        let names = names.map { $0 == "-" ? "standard input" : $0 }
        return switch names.count {
        case 0: "no source"
        case 1...3: names.joined(separator: ", ")
        default: names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more"
        }
    }

    /// Returns a string, with its middle replaced by an ellipsis if it is too long for the sheet.
    private static func shortened(_ text: String) -> String {
        guard text.count > maximumLength else { return text }
        return text.prefix(maximumLength / 2 - 1) + "…" + text.suffix(maximumLength / 2)
    }

    // MARK: Time and counts

    private static func span(_ counts: FixCounts) -> String {
        guard let span = counts.span else { return "no fix with a position" }
        let seconds = span.last.seconds(since: span.first) ?? 0
        switch span.first.scale {
        case .order: return "no time was reported"
        case .timeOfDay:
            let (first, last) = (clock(span.first.nanoseconds), clock(span.last.nanoseconds))
            return "\(first) to \(last) UTC, day unknown (\(Elapsed.text(seconds)))"
        case .date:
            let first = UTCTime(unixNanoseconds: span.first.nanoseconds)
            let last = UTCTime(unixNanoseconds: span.last.nanoseconds)
            guard let first, let last else { return "" }
            let start = "\(first.description.prefix(10)) \(clock(span.first.nanoseconds))"
            let isSameDay = first.date == last.date
            let day = isSameDay ? "" : "\(last.description.prefix(10)) "
            guard seconds > 0 else { return "\(start) UTC" }
            return
                "\(start) to \(day)\(clock(span.last.nanoseconds)) UTC (\(Elapsed.text(seconds)))"
        }
    }

    private static func clock(_ nanoseconds: Int64) -> String {
        TimeOfDay(secondsOfDay: Int(nanoseconds / 1_000_000_000)).clock
    }

    private static func counts(_ counts: FixCounts) -> String {
        let fixes = counts.fixes == 1 ? "1 fix" : "\(GroupedNumber.text(counts.fixes)) fixes"
        guard counts.positions > 0 else { return "\(fixes), none with a position" }
        let kinds = counts.qualities.compactMap { quality, count in
            FixQualityText.kind(quality).map { "\($0) \(percent(count, counts.positions))" }
        }
        let all = counts.positions == counts.fixes
        let positions =
            all ? "all with a position" : "\(GroupedNumber.text(counts.positions)) with a position"
        return ([fixes, positions, "3D \(percent(counts.threeD, counts.positions))"] + kinds)
            .joined(separator: " · ")
    }

    /// Returns a percentage. Rounding never results in 100 % unless `count` equals `whole`, or in 0
    /// % unless `count` is 0.
    private static func percent(_ count: Int, _ whole: Int) -> String {
        let percentage = Double(count) / Double(max(1, whole)) * 100
        if count < whole, percentage > 99 {
            return "\(String(min(99.9, percentage), decimals: 1)) %"
        }
        if count > 0, percentage < 1 { return "\(String(max(0.1, percentage), decimals: 1)) %" }
        return "\(String(percentage, decimals: 0)) %"
    }

    // MARK: Banner

    private static func banner(_ counts: FixCounts) -> (text: String, color: Color)? {
        if counts.origins.isSimulated, counts.simulated == counts.positions {
            return ("SIMULATED: not the data of a receiver", Palette.simulated)
        }
        if counts.origins.isSimulated {
            return (
                "PARTLY SIMULATED: \(GroupedNumber.text(counts.simulated)) of "
                    + "\(GroupedNumber.text(counts.positions)) positions are simulated",
                Palette.simulated
            )
        }
        if counts.origins.isUnknown {
            return ("ORIGIN UNKNOWN: perhaps not where the receiver is now", Palette.replayed)
        }
        guard counts.origins.isReplayed else { return nil }
        return (replayed, Palette.replayed)
    }

    private static let replayed = "REPLAYED from a recording: not where the receiver is now"

    /// Draws the heading at the top of the sheet. Returns the y coordinate below it, for the
    /// panels.
    func draw(_ sheet: Frame, margin: Double, on drawing: inout Drawing) -> Double {
        var y = 8.0
        if let banner {
            drawing.fill(Frame(0, 0, sheet.width, 40), banner.color)
            drawing.text(
                banner.text, sheet.middle.x, 27,
                TextStyle(20, Palette.card, bold: true, .middle))
            y += 40
        }
        drawing.text(title, margin, y + 30, TextStyle(24, Palette.ink, bold: true))
        for (index, line) in lines.enumerated() {
            drawing.text(
                line, margin, y + 54 + Double(index) * 20, TextStyle(14, Palette.muted))
        }
        return y + 88
    }
}

/// The colours of plots.
enum Palette {
    static let paper = Color(0xF3F5F8)
    static let card = Color(0xFFFFFF)
    static let edge = Color(0xD3DAE4)
    static let grid = Color(0xE6EAF0)
    static let axis = Color(0xAAB4C2)
    static let ink = Color(0x1B2430)
    static let muted = Color(0x5D6B7E)
    static let accent = Color(0x1D5FC4)
    static let start = Color(0x15803D)
    static let end = Color(0xB42318)
    static let simulated = Color(0xB3261E)
    static let replayed = Color(0x8A5300)

    /// The gradient for speeds, from slow to fast.
    static let speed = Gradient([0x2C3E91, 0x1F9BB4, 0x4FAE4E, 0xEE9F1B, 0xD62F20])
    /// The gradient for C/N0, from weak to strong.
    static let signal = Gradient([0xFBEFD0, 0xCFE8B5, 0x86CFB0, 0x55A9C4])

    static func color(_ constellation: Constellation) -> Color {
        switch constellation {
        case .gps: Color(0x17692F)
        case .sbas: Color(0x7C3AED)
        case .galileo: Color(0x1D4ED8)
        case .beiDou: Color(0x9A6700)
        case .qzss: Color(0x0B7A85)
        case .glonass: Color(0xC2340C)
        case .navIC: Color(0xBE185D)
        }
    }

    static func color(_ quality: FixQuality) -> Color {
        switch quality {
        case .invalid: Color(0x98A2B3)
        case .autonomous: Color(0x1D5FC4)
        case .differential: Color(0x15803D)
        case .precise: Color(0x0B7A85)
        case .rtkFixed: Color(0x6D28D9)
        case .rtkFloat: Color(0xB7860B)
        case .estimated: Color(0xD9480F)
        case .manual: Color(0x6B7280)
        case .simulated: Color(0xC02668)
        }
    }
}

/// A colour gradient.
struct Gradient: Sendable {
    private let colors: [Color]

    init(_ codes: [UInt32]) {
        colors = codes.map { Color($0) }
    }

    /// Returns the colour at a position from 0 (start) to 1 (end).
    func color(at fraction: Double) -> Color {
        let position = (fraction.isNaN ? 0 : max(0, min(1, fraction))) * Double(colors.count - 1)
        let index = max(0, min(colors.count - 2, Int(position)))
        return colors[index].mixed(with: colors[index + 1], position - Double(index))
    }
}

/// A framed area of the sheet with a title.
struct PlotPanel {
    static let label = TextStyle(12, Palette.muted)
    static let strong = TextStyle(12, Palette.ink, bold: true)
    private static let padding = 14.0
    private static let titleHeight = 34.0

    /// The area below the title.
    let body: Frame

    /// Draws the frame with its title at the left and a note at the right.
    init(_ frame: Frame, _ title: String, note: String = "", on drawing: inout Drawing) {
        drawing.fill(frame, Palette.card)
        drawing.outline(frame, Stroke(Palette.edge, 1))
        let base = frame.y + 22
        drawing.text(title, frame.x + Self.padding, base, TextStyle(15, Palette.ink, bold: true))
        drawing.text(note, frame.right - Self.padding, base, Self.label.anchored(.end))
        body = frame.inset(
            left: Self.padding, top: Self.titleHeight, right: Self.padding, bottom: Self.padding)
    }

    /// Writes lines of text instead of a plot, such as the reason why there is no data.
    func write(_ lines: [String], on drawing: inout Drawing) {
        let middle = body.middle
        var y = middle.y - Double(lines.count - 1) * 11
        for (index, line) in lines.enumerated() {
            let style = index == 0 ? TextStyle(15, Palette.ink, bold: true) : Self.label
            drawing.text(line, middle.x, y, style.anchored(.middle))
            y += 22
        }
    }
}

/// Draws all panels of a plot on one sheet.
package enum Sheet {
    /// The size of the sheet in pixels.
    package static let size = (width: 1600, height: 1000)
    private static let margin = 20.0
    private static let space = 16.0
    /// The height of a chart in pixels.
    private static let chartHeight = 150.0

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
