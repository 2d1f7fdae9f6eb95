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
        let offset = HorizonCircle(middle: Point(0, 0), radius: radius)
            .place(elevation: elevation, azimuth: azimuth)
        return (Int(nearest: x + 2 * offset.x), Int(nearest: y + offset.y))
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

/// A table of the satellites.
struct TablePanel: Panel {
    let title = "Satellites"
    let minimumRows = 6

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        switch scene.settings.order {
        case .number: "s: by number"
        case .signal: "s: by signal"
        case .elevation: "s: by elevation"
        }
    }

    /// The width of a table in columns. A wide panel has several tables side by side.
    private static let width = 46

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let satellites = sorted(scene)
        let columns = max(1, canvas.width / Self.width)
        let rows = max(0, canvas.height - 1)
        var room = rows * columns
        var skipped = 0
        if satellites.count > room {
            // The last row shows how many satellites are hidden.
            room = max(0, room - 1)
            if [.satellites, .sky].contains(scene.settings.page) {
                canvas.hiddenRows = satellites.count - room
                skipped = min(canvas.hiddenRows, scene.settings.scroll)
            }
        }
        let shown = satellites.dropFirst(skipped).prefix(room)
        for column in 0..<columns where column == 0 || column * rows < shown.count {
            let heading = "Sat  Used  Elev   Azim   dB-Hz  Signals"
            canvas.write(heading, column * Self.width + 1, 0, .dim)
        }
        guard rows > 0 else { return }
        for (index, satellite) in shown.enumerated() {
            draw(satellite, index / rows * Self.width, index % rows + 1, scene, on: &canvas)
        }
        let x = (columns - 1) * Self.width + 1
        if satellites.isEmpty { canvas.write("none in view", 1, 1, .dim) }
        let below = satellites.count - shown.count - skipped
        let words = [skipped > 0 ? "\(skipped) above" : "", below > 0 ? "and \(below) more" : ""]
        canvas.write(words.filter { !$0.isEmpty }.joined(separator: ", "), x, rows, .dim)
    }

    private func draw(
        _ satellite: Satellite, _ x: Int, _ y: Int, _ scene: Scene, on canvas: inout Canvas
    ) {
        let (glyphs, style) = (scene.settings.glyphs, Signal.style(satellite.id.constellation))
        let angle = { (value: Double?) in
            value.map { String(direction: $0, decimals: 0) + glyphs.degree } ?? glyphs.unknown
        }
        let strength = satellite.cn0.map { String($0, decimals: 1) } ?? glyphs.unknown
        canvas.write(satellite.id.description, x + 1, y, style.bold)
        canvas.write(satellite.isUsed ? glyphs.used : glyphs.visible, x + 7, y, style)
        canvas.write(angle(satellite.elevation), endingAt: x + 16, y)
        canvas.write(angle(satellite.azimuth), endingAt: x + 23, y)
        canvas.write(strength, endingAt: x + 31, y)
        canvas.write(Self.signals(satellite), x + 33, y, .dim)
    }

    private func sorted(_ scene: Scene) -> [Satellite] {
        let satellites = scene.model.satellites
        switch scene.settings.order {
        case .number: return satellites
        case .signal: return satellites.sorted { ($0.cn0 ?? -1, $1.id) > ($1.cn0 ?? -1, $0.id) }
        case .elevation:
            return satellites.sorted { ($0.elevation ?? -91, $1.id) > ($1.elevation ?? -91, $0.id) }
        }
    }

    private static func signals(_ satellite: Satellite) -> String {
        satellite.signals.map { signal in
            let band = Signal.band(signal)
            let strength = signal.cn0.map { String($0, decimals: 0) }
            return [band.isEmpty ? nil : band, satellite.signals.count > 1 ? strength : nil]
                .compactMap(\.self).joined(separator: " ")
        }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
