// SPDX-License-Identifier: MIT
import GNSS

/// How strong each signal is: a bar each, thick where the fix uses its satellite.
struct BarsPanel: Panel {
    let title = "Signals"
    let minimumRows = 6

    func usefulRows(_ scene: Scene) -> Int? { 14 }

    func note(_ scene: Scene) -> String { "dB-Hz" }

    /// What a whole bar means in dB-Hz.
    private static let (floor, ceiling) = (10.0, 55.0)

    private struct Bar {
        let id: SatelliteID
        let isUsed: Bool
        let cn0: Double
        let band: String
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let bars = scene.model.satellites.flatMap { satellite in
            satellite.signals.compactMap { signal in
                signal.cn0.map {
                    Bar(
                        id: satellite.id, isUsed: satellite.isUsed, cn0: $0,
                        band: Signal.band(signal))
                }
            }
        }
        guard !bars.isEmpty else { return canvas.write("no signal", 1, 0, .dim).discard() }
        let room = canvas.width - 4
        guard room > 0, canvas.height > 3 else { return }
        // Wide enough for a whole name, or for one digit above the other.
        let pitch = bars.count * 4 <= room ? 4 : bars.count * 2 <= room ? 2 : 1
        let labelRows = pitch == 4 ? (canvas.height >= 9 ? 3 : 1) : 3
        let height = canvas.height - labelRows
        drawAxis(height, on: &canvas)
        let shown = Self.chosen(bars, room / pitch)
        for (index, bar) in shown.enumerated() {
            let x = 4 + index * pitch
            draw(bar, x, width: pitch == 4 ? 3 : 1, height, scene, on: &canvas)
            let style = Signal.style(bar.id.constellation)
            let label = bar.id.description
            if pitch == 4 {
                canvas.write(label, x, height, style)
                if labelRows == 3 {
                    canvas.write(String(bar.cn0, decimals: 0), x, height + 1)
                    canvas.write(bar.band, x, height + 2, .dim)
                }
            } else {
                for (row, letter) in label.enumerated() {
                    canvas.write(String(letter), x, height + row, style)
                }
            }
        }
        if shown.count < bars.count {
            canvas.write(" +\(bars.count - shown.count)", endingAt: canvas.width, 0, .bold)
        }
    }

    /// As many as there is room for: rather those that are used, in their order.
    private static func chosen(_ bars: [Bar], _ count: Int) -> [Bar] {
        guard bars.count > count else { return bars }
        let ranked = bars.filter(\.isUsed) + bars.filter { !$0.isUsed }
        return ranked.prefix(count).sorted { ($0.id, $0.band) < ($1.id, $1.band) }
    }

    private func drawAxis(_ height: Int, on canvas: inout Canvas) {
        for value in [50, 40, 30, 20] {
            let share = (Double(value) - Self.floor) / (Self.ceiling - Self.floor)
            let y = height - 1 - Int((share * Double(height)).rounded(.down))
            if height >= 6 || value == 50 || value == 20 || (height >= 4 && value == 30) {
                canvas.write(String(value), 1, max(0, y), .dim)
            }
        }
    }

    private func draw(
        _ bar: Bar, _ x: Int, width: Int, _ height: Int, _ scene: Scene, on canvas: inout Canvas
    ) {
        let glyphs = scene.settings.glyphs
        let share = (bar.cn0 - Self.floor) / (Self.ceiling - Self.floor)
        let eighths = Int(nearest: min(1, max(0, share)) * Double(height * 8))
        let style = Signal.style(bar.id.constellation)
        let columns = bar.isUsed ? Array(0..<width) : [width / 2]
        for row in 0..<height {
            let left = max(eighths - row * 8, row == 0 ? 1 : 0)
            guard left > 0 else { break }
            let sign =
                left >= 8
                ? (bar.isUsed ? glyphs.usedBar : glyphs.visibleBar)
                : glyphs.end(ofBar: left, isUsed: bar.isUsed)
            for column in columns { canvas.write(sign, x + column, height - 1 - row, style) }
        }
    }
}

extension Int {
    /// For a result that nobody needs.
    fileprivate func discard() {}
}
