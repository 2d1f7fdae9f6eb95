// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Where the satellites stand: the zenith in the middle, north above.
struct SkyPanel: Panel {
    let title = "Sky"
    let minimumRows = 9

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let glyphs = scene.settings.glyphs
        return "\(glyphs.used) used \(glyphs.visible) visible"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let glyphs = scene.settings.glyphs
        // Cells are twice as high as wide; a margin is left for the letters of satellites.
        let radius = min(Double(canvas.height - 1) / 2, Double(canvas.width - 6) / 4)
        guard radius >= 3 else { return }
        let dial = Dial(
            x: min(Double(canvas.width) / 2, radius * 2 + 4), y: Double(canvas.height - 1) / 2,
            radius: radius)
        var taken = dial.draw(glyphs, on: &canvas)
        drawLegend(scene, from: Int(dial.x + radius * 2) + 5, on: &canvas)
        // Those that are used lie above the others.
        let satellites = scene.model.satellites.sorted { $1.isUsed && !$0.isUsed }.reversed()
        for satellite in satellites {
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth else {
                continue
            }
            let (x, y) = dial.place(elevation: elevation, azimuth: azimuth)
            let style = Signal.style(satellite.id.constellation)
            let sign = satellite.isUsed ? glyphs.used : glyphs.visible
            let label =
                radius >= 8 ? satellite.id.description : String(satellite.id.constellation.letter)
            let cells = (x...x + label.count).map { y * canvas.width + $0 }
            guard taken.isDisjoint(with: cells) else {
                if taken.insert(cells[0]).inserted { canvas.write(sign, x, y, style) }
                continue
            }
            taken.formUnion(cells)
            let shown = satellite.isUsed ? style.bold : style
            canvas.write(label, canvas.write(sign, x, y, shown), y, shown)
        }
    }

    /// Which letter is which constellation, and how many of its satellites are used.
    private func drawLegend(_ scene: Scene, from x: Int, on canvas: inout Canvas) {
        guard x + 7 <= canvas.width else { return }
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
    }
}

/// The circle of the horizon, and where directions are on it.
private struct Dial {
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

    /// Draws it; returns the cells that have to stay free.
    func draw(_ glyphs: Glyphs, on canvas: inout Canvas) -> Set<Int> {
        var taken = Set<Int>()
        for elevation in [0.0, 45] where elevation == 0 || radius >= 5 {
            for step in stride(from: 0.0, to: 360, by: radius >= 8 ? 5 : 10) {
                let (x, y) = place(elevation: elevation, azimuth: step)
                canvas.write(glyphs.ring, x, y, .dim)
            }
        }
        for (name, azimuth) in [("N", 0.0), ("E", 90), ("S", 180), ("W", 270)] {
            let (x, y) = place(elevation: 0, azimuth: azimuth)
            canvas.write(name, x, y, .bold)
            taken.insert(y * canvas.width + x)
        }
        let (x, y) = place(elevation: 90, azimuth: 0)
        canvas.write("+", x, y, .dim)
        return taken
    }
}
