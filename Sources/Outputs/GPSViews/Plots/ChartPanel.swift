// SPDX-License-Identifier: MIT
import GNSS

/// A chart of a quantity over time.
struct ChartPanel {
    let plot: Plot
    let title: String
    let series: TimeSeries
    /// The displayed unit: its size in SI units, and its symbol.
    let unit: (size: Double, sign: String)
    /// The minimum length of the value axis, in the displayed unit.
    let minimumRange: Double
    /// Whether the value axis begins at 0, unless a value is negative.
    let isFromZero: Bool
    let color: Color
    /// The lines of text that are shown instead of an empty chart.
    let absence: [String]

    func draw(_ frame: Frame, on drawing: inout Drawing) {
        guard let mean = series.mean, let first = series.steps.first, let last = series.steps.last
        else {
            return PlotPanel(frame, title, on: &drawing).write(absence, on: &drawing)
        }
        let minimum = (series.steps.map(\.minimum).min() ?? mean) / unit.size
        let maximum = (series.steps.map(\.maximum).max() ?? mean) / unit.size
        let panel = PlotPanel(
            frame, "\(title) (\(unit.sign))",
            note:
                "\(text(minimum)) to \(text(maximum)) \(unit.sign), mean \(text(mean / unit.size))",
            on: &drawing)
        let plot = panel.body.inset(left: 46, top: 2, right: 4, bottom: 16)
        let values = valueRange(minimum, maximum)
        let times = timeRange(series.start(of: first), series.start(of: last))
        let scale = ChartScale(frame: plot, times: times, values: values, unit: unit.size)
        drawAxes(scale, on: &drawing)
        drawing.clipped(to: plot.inset(left: -1, top: -1, right: -1, bottom: -1)) {
            drawValues(scale, on: &$0)
        }
    }

    private func text(_ value: Double) -> String { String(value, decimals: 1) }

    // MARK: Axes

    private func valueRange(_ minimum: Double, _ maximum: Double) -> ClosedRange<Double> {
        let margin = max((maximum - minimum) * 0.08, (minimumRange - (maximum - minimum)) / 2)
        if isFromZero, minimum >= 0 { return 0...max(minimumRange, maximum * 1.08) }
        return minimum - margin...maximum + margin
    }

    private func timeRange(_ first: Int64, _ last: Int64) -> ClosedRange<Int64> {
        var (first, last) = (first, last)
        if let span = plot.counts.span, span.first.scale == series.scale {
            first = span.first.nanoseconds
            last = max(span.last.nanoseconds, first)
        }
        // A single fix is shown in the middle of an axis of ten seconds.
        let half: Int64 = 5_000_000_000
        guard last <= first else { return first...last }
        let (start, isTooEarly) = first.subtractingReportingOverflow(half)
        let (end, isTooLate) = first.addingReportingOverflow(half)
        return (isTooEarly ? first : start)...(isTooLate ? first : end)
    }

    private func drawAxes(_ scale: ChartScale, on drawing: inout Drawing) {
        let plot = scale.frame
        let ticks = AxisTicks(scale.values.lowerBound, scale.values.upperBound, about: 5)
        for value in ticks.values {
            let y = scale.y(value * unit.size)
            drawing.line(Point(plot.x, y), Point(plot.right, y), Stroke(Palette.grid, 1))
            drawing.text(ticks.text(value), plot.x - 8, y + 4, PlotPanel.label.anchored(.end))
        }
        let times = TimeTicks(
            series.scale, scale.times.lowerBound, scale.times.upperBound,
            atMost: Int(plot.width / 110))
        for tick in times.ticks {
            let x = scale.x(tick.nanoseconds)
            drawing.line(Point(x, plot.y), Point(x, plot.bottom), Stroke(Palette.grid, 1))
            // A label here would overlap the name of the axis.
            guard x < plot.right - 70 || plot.right - x < 1 && times.ticks.count == 1 else {
                continue
            }
            // A label at the left end is moved right, away from the labels of the value axis.
            let isFirst = x < plot.x + 32
            drawing.text(
                tick.text, isFirst ? max(x - 4, plot.x) : x, plot.bottom + 15,
                PlotPanel.label.anchored(isFirst ? .start : .middle))
        }
        let name =
            switch series.scale {
            case .date: "UTC"
            case .timeOfDay: "UTC, no date"
            case .order: "fixes"
            }
        drawing.text(name, plot.right, plot.bottom + 15, PlotPanel.strong.anchored(.end))
        drawing.line(
            Point(plot.x, plot.bottom), Point(plot.right, plot.bottom), Stroke(Palette.axis, 1))
    }

    // MARK: Values

    private func drawValues(_ scale: ChartScale, on drawing: inout Drawing) {
        for segment in segments {
            let middles = segment.map { scale.place(series.start(of: $0), series.width, $0.mean) }
            let isBand = segment.contains { $0.maximum > $0.minimum }
            if isBand, segment.count > 1 {
                let upper = segment.map {
                    scale.place(series.start(of: $0), series.width, $0.maximum)
                }
                let lower = segment.map {
                    scale.place(series.start(of: $0), series.width, $0.minimum)
                }
                drawing.add(.area(upper + lower.reversed(), color.opacity(0.22)))
            }
            if middles.count == 1 {
                drawing.add(.discs(middles, radius: 2.5, color))
            } else {
                drawing.add(.line(middles, Stroke(color, 1.6)))
            }
        }
    }

    /// The steps, divided at gaps and where a new segment begins.
    private var segments: [[TimeSeries.Step]] {
        var segments: [[TimeSeries.Step]] = []
        var last: TimeSeries.Step?
        let width = Double(series.width) / 1e9
        for step in series.steps {
            let isNear = last.map { last in
                let seconds =
                    (Double(series.start(of: step)) - Double(series.start(of: last))) / 1e9
                return !step.beginsSegment && seconds <= max(plot.settings.gap, 2.5 * width)
            }
            if isNear == true, !segments.isEmpty {
                segments[segments.count - 1].append(step)
            } else {
                segments.append([step])
            }
            last = step
        }
        return segments
    }
}

/// Converts times and values to points of a chart.
private struct ChartScale {
    let frame: Frame
    let times: ClosedRange<Int64>
    /// The range of the value axis, in the displayed unit.
    let values: ClosedRange<Double>
    /// The size of the displayed unit in SI units.
    let unit: Double

    func x(_ nanoseconds: Int64) -> Double {
        let length = Double(times.upperBound) - Double(times.lowerBound)
        let fraction = (Double(nanoseconds) - Double(times.lowerBound)) / max(1, length)
        return frame.x + fraction * frame.width
    }

    func y(_ value: Double) -> Double {
        let length = values.upperBound - values.lowerBound
        let fraction = (value / unit - values.lowerBound) / max(1e-12, length)
        return frame.bottom - fraction * frame.height
    }

    /// Returns the point for a value at the middle of a step, with its x limited to the frame. The
    /// first step of the axis has its point at the left edge. `start` and `width` are the step's
    /// start and duration in nanoseconds.
    func place(_ start: Int64, _ width: Int64, _ value: Double) -> Point {
        let half = times.lowerBound == start ? 0 : width / 2
        return Point(min(frame.right, max(frame.x, x(start &+ half))), y(value))
    }
}

/// Round values for the ticks of an axis.
package struct AxisTicks {
    /// The values in ascending order.
    package let values: [Double]
    private let decimals: Int

    /// Finds about `count` ticks from `low` to `high`.
    package init(_ low: Double, _ high: Double, about count: Int) {
        let step = Self.step((high - low) / Double(max(1, count)))
        var exponent = 0
        var unit = 1.0
        while unit > step * 1.000001, exponent < 9 {
            unit /= 10
            exponent += 1
        }
        decimals = exponent
        var values: [Double] = []
        var index = (low / step - 1e-6).rounded(.up)
        while index * step <= high + step * 1e-6, values.count < 100 {
            values.append(index * step)
            index += 1
        }
        self.values = values
    }

    /// Returns the smallest number not less than `minimum` that is 1, 2 or 5 times a power of ten.
    static func step(_ minimum: Double) -> Double {
        guard minimum.isFinite, minimum > 1e-9 else { return 1e-9 }
        var unit = 1e-9
        while unit * 10 <= minimum { unit *= 10 }
        for factor in [1.0, 2, 5] where unit * factor >= minimum * 0.999999 { return unit * factor }
        return unit * 10
    }

    /// Returns the label of a value.
    package func text(_ value: Double) -> String { String(value, decimals: decimals) }
}

/// Round times for the ticks of an axis, in UTC.
package struct TimeTicks {
    package struct Tick: Hashable {
        /// The time in nanoseconds from the zero point of the scale.
        package let nanoseconds: Int64
        package let text: String
    }

    /// The ticks in order of time.
    package let ticks: [Tick]

    private static let second: Int64 = 1_000_000_000
    private static let day = 86_400 * second
    private static let seconds: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    ]
    private static let fractions: [Int64] = [1, 2, 5, 10, 20, 50, 100, 200, 500]
    private static let days: [Int64] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000,
    ]

    /// Finds at most about `count` round times from `first` to `last`. Both are in nanoseconds from
    /// the zero point of the scale.
    package init(_ scale: FixTime.Scale, _ first: Int64, _ last: Int64, atMost count: Int) {
        let steps =
            Self.fractions.map { $0 * 1_000_000 } + Self.seconds.map { $0 * Self.second }
            + Self.days.map { $0 * Self.day }
        let (length, isTooLong) = last.subtractingReportingOverflow(first)
        let enough = steps.first { !isTooLong && length / $0 < Int64(max(1, count)) }
        let step = enough ?? 10_000 * Self.day
        var ticks: [Tick] = []
        // Integer division rounds towards 0, so positive times with a remainder must be rounded up.
        var index = first / step + (first % step > 0 ? 1 : 0)
        while ticks.count < 100 {
            let (instant, overflow) = index.multipliedReportingOverflow(by: step)
            if overflow || instant > last { break }
            ticks.append(Tick(nanoseconds: instant, text: Self.text(instant, step, scale)))
            index += 1
        }
        self.ticks = ticks
    }

    private static func text(_ instant: Int64, _ step: Int64, _ scale: FixTime.Scale) -> String {
        if scale == .order { return "\(instant / second)" }
        let time = TimeOfDay(wrapping: instant)
        if scale == .date, time.nanoseconds == 0, step >= second * 60,
            let midnight = UTCTime(unixNanoseconds: instant)
        {
            return String(midnight.description.prefix(10))
        }
        let text = time.clock
        guard step < second * 60 else { return String(text.prefix(5)) }
        guard step < second else { return text }
        return text + "." + String(time.nanosecond / 1_000_000, width: 3)
    }
}

/// Formats large numbers.
enum GroupedNumber {
    /// Returns a number such as `216 000`. Numbers from ten thousand on have narrow no-break spaces
    /// between groups of three digits.
    static func text(_ count: Int) -> String {
        let digits = String(count)
        guard digits.count > 4 else { return digits }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }
}

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
