// SPDX-License-Identifier: MIT
import GNSS

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
