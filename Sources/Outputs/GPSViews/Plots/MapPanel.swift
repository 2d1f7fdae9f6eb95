// SPDX-License-Identifier: MIT
import GNSS

/// The colours of the track on the map. They show the speed if the receiver moved and reported its
/// speed, otherwise the quality.
struct MapColoring {
    /// The number of steps on the colour scale for speeds. With more, neighbouring colours could
    /// not be distinguished.
    private static let classes = 12.0

    /// The speed in metres per second at the upper end of the colour scale; `nil` if the colours
    /// show the quality.
    let topSpeed: Double?
    private let qualities: [(quality: FixQuality, count: Int)]

    init(_ counts: FixCounts, _ points: [PlottedPoint]) {
        let speeds = points.map(\.speed).filter { !$0.isNaN }.sorted()
        // The 98th percentile is used instead of the maximum, because a single wrong speed would
        // compress the scale.
        let top = speeds.isEmpty ? nil : speeds[speeds.count * 98 / 100]
        topSpeed = counts.isMoving == true ? top.map { max(1, Double($0)) } : nil
        qualities = counts.qualities
    }

    func color(_ point: PlottedPoint) -> Color {
        guard let topSpeed else { return Palette.color(point.quality) }
        guard !point.speed.isNaN else { return Palette.axis }
        let fraction = max(0, min(1, Double(point.speed) / topSpeed))
        return Palette.speed.color(at: (fraction * Self.classes).rounded() / Self.classes)
    }

    func drawLegend(_ frame: Frame, units: Units, on drawing: inout Drawing) {
        if let topSpeed {
            let unit = units.speed
            ColorBar(
                gradient: Palette.speed, range: 0...topSpeed / unit.metres,
                title: "Speed, \(unit.sign)"
            ).draw(frame, on: &drawing)
            return
        }
        var (x, y) = (frame.x, frame.y + 8)
        for (quality, count) in qualities {
            let text = "\(FixQualityText.kind(quality) ?? "unknown"): \(GroupedNumber.text(count))"
            let width = 26 + Double(text.count) * 7.4 + 14
            if x > frame.x, x + width > frame.right {
                (x, y) = (frame.x, y + 18)
            }
            drawing.line(Point(x, y), Point(x + 18, y), Stroke(Palette.color(quality), 3))
            drawing.text(text, x + 26, y + 4, PlotPanel.label)
            x += width
        }
    }
}

/// A colour scale with ticks and a title.
struct ColorBar {
    let gradient: Gradient
    let range: ClosedRange<Double>
    let title: String

    /// Draws the colour scale at the left of the frame, and the title to the right of it.
    func draw(_ frame: Frame, on drawing: inout Drawing) {
        let bar = Frame(frame.x, frame.y + 2, min(260, frame.width * 0.6), 10)
        let pieces = 52
        let width = bar.width / Double(pieces)
        for piece in 0..<pieces {
            let fraction = (Double(piece) + 0.5) / Double(pieces)
            // The parts overlap slightly, so that no gap is visible.
            let part = Frame(bar.x + Double(piece) * width, bar.y, width + 0.5, bar.height)
            drawing.fill(part, gradient.color(at: fraction))
        }
        let length = range.upperBound - range.lowerBound
        let ticks = AxisTicks(range.lowerBound, range.upperBound, about: 5)
        for value in ticks.values {
            let x = bar.x + (value - range.lowerBound) / max(1e-9, length) * bar.width
            drawing.line(Point(x, bar.bottom), Point(x, bar.bottom + 3), Stroke(Palette.axis, 1))
            drawing.text(ticks.text(value), x, bar.bottom + 15, PlotPanel.label.anchored(.middle))
        }
        drawing.text(title, bar.right + 14, bar.bottom, PlotPanel.label)
    }
}
