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
struct ChartScale {
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
