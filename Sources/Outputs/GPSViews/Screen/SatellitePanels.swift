// SPDX-License-Identifier: MIT
import GNSS

/// The C/N0 of each signal as a bar. A thick bar means that the fix uses the satellite.
struct BarsPanel: Panel {
    let title = "Signals"
    let minimumRows = 6
    let fallbackRows = 4

    func usefulRows(_ scene: Scene) -> Int? { scene.settings.page == .signals ? nil : 14 }

    func note(_ scene: Scene) -> String { "dB-Hz" }

    /// The C/N0 of an empty bar (`floor`) and of a full bar (`ceiling`), in dB-Hz.
    private static let (floor, ceiling) = (10.0, 55.0)

    private struct Bar {
        let id: SatelliteID
        let isUsed: Bool
        let cn0: Double
        let band: String
    }

    /// How bars are distributed over one or more rows.
    private struct Arrangement {
        /// The number of columns from one bar to the next: 4 for a complete label, 2 or 1 for a
        /// label with one letter per row.
        let pitch: Int
        /// The number of bars in a row.
        let count: Int
        /// The number of rows of bars.
        let rows: Int

        /// Chooses the largest pitch at which all signals fit. If they never fit, chooses the
        /// smallest pitch.
        init(_ bars: Int, width: Int, height: Int) {
            for (pitch, minimum) in [(4, 9), (2, 7), (1, 7)] {
                let count = max(1, width / pitch)
                let rows = (bars + count - 1) / count
                if rows == 1 || rows * minimum <= height {
                    // Distributes the bars evenly over the rows.
                    (self.pitch, self.count, self.rows) = (pitch, (bars + rows - 1) / rows, rows)
                    return
                }
            }
            (pitch, count, rows) = (1, max(1, width), max(1, height / 7))
        }
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        var bars = Self.bars(scene.model.satellites)
        guard !bars.isEmpty else {
            canvas.write("no signal", 1, 0, .dim)
            return
        }
        let room = canvas.width - 4
        guard room > 0, canvas.height > 3 else { return }
        var arrangement = Arrangement(bars.count, width: room, height: canvas.height)
        if arrangement.count * arrangement.rows < bars.count {
            bars = Self.strongest(bars)
            arrangement = Arrangement(bars.count, width: room, height: canvas.height)
        }
        let shown = Self.chosen(bars, arrangement.count * arrangement.rows)
        let height = canvas.height / arrangement.rows
        for row in 0..<arrangement.rows {
            var part = Canvas(width: canvas.width, height: height)
            let those = shown.dropFirst(row * arrangement.count).prefix(arrangement.count)
            draw(Array(those), pitch: arrangement.pitch, scene, on: &part)
            canvas.place(part, 0, row * height)
        }
        if shown.count < bars.count {
            canvas.write(" +\(bars.count - shown.count)", endingAt: canvas.width, 0, .bold)
        }
    }

    // MARK: Selection

    private static func bars(_ satellites: [Satellite]) -> [Bar] {
        satellites.flatMap { satellite in
            satellite.signals.compactMap { signal in
                signal.cn0.map {
                    Bar(
                        id: satellite.id, isUsed: satellite.isUsed, cn0: $0,
                        band: Signal.band(signal))
                }
            }
        }
    }

    /// Returns the bar of the strongest signal of each satellite, sorted by satellite.
    private static func strongest(_ bars: [Bar]) -> [Bar] {
        var best: [SatelliteID: Bar] = [:]
        for bar in bars where bar.cn0 > best[bar.id]?.cn0 ?? -1 { best[bar.id] = bar }
        return best.values.sorted { $0.id < $1.id }
    }

    /// Returns at most `count` bars, preferring used satellites, in their original order.
    private static func chosen(_ bars: [Bar], _ count: Int) -> [Bar] {
        guard bars.count > count else { return bars }
        let ranked = bars.filter(\.isUsed) + bars.filter { !$0.isUsed }
        return ranked.prefix(count).sorted { ($0.id, $0.band) < ($1.id, $1.band) }
    }

    // MARK: Drawing

    private func draw(_ bars: [Bar], pitch: Int, _ scene: Scene, on canvas: inout Canvas) {
        let labelRows = pitch == 4 ? (canvas.height >= 9 ? 3 : 1) : 3
        let height = canvas.height - labelRows
        drawAxis(height, on: &canvas)
        for (index, bar) in bars.enumerated() {
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
                // Of a label such as S136, only the last two digits are shown. The letter implies
                // the first one.
                let letters = label.prefix(1) + label.dropFirst().suffix(2)
                for (row, letter) in letters.enumerated() {
                    canvas.write(String(letter), x, height + row, style)
                }
            }
        }
    }

    private func drawAxis(_ height: Int, on canvas: inout Canvas) {
        for value in [50, 40, 30, 20] {
            let fraction = (Double(value) - Self.floor) / (Self.ceiling - Self.floor)
            let y = height - 1 - Int((fraction * Double(height)).rounded(.down))
            if height >= 6 || value == 50 || value == 20 || (height >= 4 && value == 30) {
                canvas.write(String(value), 1, max(0, y), .dim)
            }
        }
    }

    private func draw(
        _ bar: Bar, _ x: Int, width: Int, _ height: Int, _ scene: Scene, on canvas: inout Canvas
    ) {
        let glyphs = scene.settings.glyphs
        let fraction = (bar.cn0 - Self.floor) / (Self.ceiling - Self.floor)
        let eighths = Int(nearest: min(1, max(0, fraction)) * Double(height * 8))
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
