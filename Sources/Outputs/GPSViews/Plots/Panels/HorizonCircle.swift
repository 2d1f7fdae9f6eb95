// SPDX-License-Identifier: MIT
import Glibc

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
