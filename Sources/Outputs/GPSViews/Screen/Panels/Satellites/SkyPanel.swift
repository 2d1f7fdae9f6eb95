// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The satellites in the sky: the zenith is in the middle, and north is at the top.
struct SkyPanel: Panel {
    let title = "Sky"
    let minimumRows = 9
    let fallbackRows = 7

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let glyphs = scene.settings.glyphs
        return "\(glyphs.used) used \(glyphs.visible) visible"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let glyphs = scene.settings.glyphs
        // A cell is about twice as high as it is wide. The margin is for the labels of satellites.
        let radius = min(Double(canvas.height - 1) / 2, Double(canvas.width - 6) / 4)
        guard radius >= 3 else { return }
        let dial = SkyDial(
            x: min(Double(canvas.width) / 2, radius * 2 + 4), y: Double(canvas.height - 1) / 2,
            radius: radius)
        var cells = FreeCells(canvas.width, canvas.height)
        dial.draw(glyphs, on: &canvas, &cells)
        let edge = Int(dial.x + radius * 2) + 6
        let rows = drawLegend(scene, from: edge - 1, on: &canvas)
        if scene.settings.page == .sky { drawStrengths(scene, edge, rows + 1, on: &canvas) }
        if rows > 0 { cells.take(edge - 1..<canvas.width, 0..<rows) }
        // All symbols are drawn before any label, so that no label hides a symbol. Used satellites
        // come first.
        let satellites =
            scene.model.satellites.filter(\.isUsed)
            + scene.model.satellites.filter { !$0.isUsed }
        let placed = satellites.compactMap { satellite -> (Satellite, x: Int, y: Int)? in
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth else {
                return nil
            }
            let (x, y) = dial.place(elevation: elevation, azimuth: azimuth)
            return (satellite, x, y)
        }
        for (satellite, x, y) in placed where cells.take(x..<x + 1, y..<y + 1) {
            let sign = satellite.isUsed ? glyphs.used : glyphs.visible
            canvas.write(sign, x, y, Self.style(satellite))
        }
        let hasNumbers = radius >= 8 || scene.settings.page == .sky
        for (satellite, x, y) in placed {
            let letter = String(satellite.id.constellation.letter)
            let labels = hasNumbers ? [satellite.id.description, letter] : [letter]
            for label in labels {
                guard let (x, y) = cells.take(label, beside: (x, y)) else { continue }
                canvas.write(label, x, y, Self.style(satellite))
                break
            }
        }
    }

    private static func style(_ satellite: Satellite) -> Style {
        let style = Signal.style(satellite.id.constellation)
        return satellite.isUsed ? style.bold : style
    }

    /// Draws the letter of each constellation, with the numbers of used and of all satellites.
    /// Returns the number of rows.
    private func drawLegend(_ scene: Scene, from x: Int, on canvas: inout Canvas) -> Int {
        guard x + 7 <= canvas.width else { return 0 }
        var row = 0
        for constellation in Constellation.allCases {
            let those = scene.model.satellites.filter { $0.id.constellation == constellation }
            guard !those.isEmpty else { continue }
            let style = Signal.style(constellation)
            let sum = "\(those.count { $0.isUsed })/\(those.count)"
            let name = canvas.width - x >= 14 ? constellation.name.trailing(8) : ""
            let end = canvas.write("\(constellation.letter) \(name)", x, row, style)
            canvas.write(sum, endingAt: min(canvas.width, end + 5), row)
            row += 1
        }
        return row
    }

    /// Draws a list of the satellites' C/N0, in as many columns as fit beside the circle.
    private func drawStrengths(_ scene: Scene, _ x: Int, _ y: Int, on canvas: inout Canvas) {
        let (width, rows) = (11, canvas.height - y - 1)
        let columns = (canvas.width - x + 2) / width
        guard columns > 0, rows > 0, !scene.model.satellites.isEmpty else { return }
        canvas.write("C/N0 in dB-Hz", x, y, .dim)
        let glyphs = scene.settings.glyphs
        let satellites = scene.model.satellites
        for (index, satellite) in satellites.prefix(columns * rows).enumerated() {
            let (x, y) = (x + index / rows * width, y + 1 + index % rows)
            let sign = satellite.isUsed ? glyphs.used : glyphs.visible
            canvas.write("\(sign)\(satellite.id)", x, y, Self.style(satellite))
            let strength = satellite.cn0.map { String($0, decimals: 0) } ?? glyphs.unknown
            canvas.write(strength, endingAt: x + width - 2, y)
        }
    }
}

/// Keeps track of the occupied cells of a panel.
private struct FreeCells {
    private let width: Int
    private let height: Int
    private var taken = Set<Int>()

    init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// Occupies the cells of a rectangle. Returns whether all of them were on the panel and free.
    @discardableResult
    mutating func take(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        var isFree = true
        for y in rows {
            for x in columns {
                guard 0..<width ~= x, 0..<height ~= y else {
                    isFree = false
                    continue
                }
                if !taken.insert(y * width + x).inserted { isFree = false }
            }
        }
        return isFree
    }

    /// Finds and occupies cells for a label next to a symbol: to the right or left of it, otherwise
    /// in the rows above and below. A single letter is only placed beside the symbol, because
    /// elsewhere it would be ambiguous. Returns `nil` if no cells are free.
    mutating func take(_ text: String, beside sign: (x: Int, y: Int)) -> (x: Int, y: Int)? {
        let (right, left, middle) = (sign.x + 1, sign.x - text.count, sign.x - text.count / 2)
        let candidates = [
            (right, sign.y), (left, sign.y), (right, sign.y - 1), (right, sign.y + 1),
            (left, sign.y - 1), (left, sign.y + 1), (middle, sign.y - 1), (middle, sign.y + 1),
        ]
        for (x, y) in text.count == 1 ? candidates.prefix(2) : candidates[...]
        where isFree(x..<x + text.count, y) {
            take(x..<x + text.count, y..<y + 1)
            return (x, y)
        }
        return nil
    }

    private func isFree(_ columns: Range<Int>, _ y: Int) -> Bool {
        guard 0..<height ~= y, columns.lowerBound >= 0, columns.upperBound <= width else {
            return false
        }
        return columns.allSatisfy { !taken.contains(y * width + $0) }
    }
}

/// The circle of the horizon. Converts directions to cells.
private struct SkyDial {
    let x: Double
    let y: Double
    let radius: Double

    func place(elevation: Double, azimuth: Double) -> (Int, Int) {
        let distance = radius * (90 - min(90, max(0, elevation))) / 90
        let angle = azimuth.truncatingRemainder(dividingBy: 360) * .pi / 180
        return (
            Int(nearest: x + 2 * distance * sin(angle)),
            Int(nearest: y - distance * cos(angle))
        )
    }

    /// Draws the circle, and occupies the cells of the marks for the four directions. Only north
    /// has a letter, because E and S are also letters of Galileo and SBAS.
    func draw(_ glyphs: Glyphs, on canvas: inout Canvas, _ cells: inout FreeCells) {
        for elevation in [0.0, 45] where elevation == 0 || radius >= 5 {
            for step in stride(from: 0.0, to: 360, by: radius >= 8 ? 5 : 10) {
                let (x, y) = place(elevation: elevation, azimuth: step)
                canvas.write(glyphs.ring, x, y, .dim)
            }
        }
        let marks = [("N", 0.0), (glyphs.rule, 90), (glyphs.visibleBar, 180), (glyphs.rule, 270)]
        for (mark, azimuth) in marks {
            let (x, y) = place(elevation: 0, azimuth: azimuth)
            canvas.write(mark, x, y, .bold)
            cells.take(x..<x + 1, y..<y + 1)
        }
        let (x, y) = place(elevation: 90, azimuth: 0)
        canvas.write("+", x, y, .dim)
    }
}
