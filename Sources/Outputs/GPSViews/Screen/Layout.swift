// SPDX-License-Identifier: MIT

/// Arranges the panels on the screen, depending on its size.
enum Layout {
    /// A column of panels from top to bottom, most important first.
    private struct Column {
        let width: Int
        let panels: [any Panel]
    }

    /// The minimum width of the first column, which shows position, fix, time and stream.
    private static let figures = 38

    /// Draws the panels of the current view that fit.
    static func draw(_ scene: Scene, width: Int, height: Int) -> Canvas {
        var canvas = Canvas(width: width, height: height)
        var x = 0
        for column in columns(scene, width: width, height: height) {
            let stack = drawn(column, scene, height: height)
            canvas.place(stack, x, 0)
            x += column.width + 2
        }
        return canvas
    }

    private static func columns(_ scene: Scene, width: Int, height: Int) -> [Column] {
        let texts: [any Panel] =
            [PositionPanel()] + NavigationPanel.all(scene.model.navigation)
            + InstrumentsPanel.all(scene)
            + [FixPanel(), TimePanel(), StreamPanel()]
        let view = panels(of: scene.settings.page, height: height)
        guard width >= 2 * figures else {
            if !view.isEmpty { return [Column(width: width, panels: view)] }
            return [Column(width: width, panels: texts + [BarsPanel(), SkyPanel()])]
        }
        if [.sky, .signals].contains(scene.settings.page) {
            return [Column(width: width, panels: view)]
        }
        let rest = width - figures - 2
        if !view.isEmpty {
            return [Column(width: figures, panels: texts), Column(width: rest, panels: view)]
        }
        guard rest >= 2 * figures else {
            let panels: [any Panel] =
                height >= 32
                ? [SkyPanel(), BarsPanel(), TrackPanel()] : [SkyPanel(), BarsPanel()]
            return [
                Column(width: figures, panels: texts + [SentencesPanel()]),
                Column(width: rest, panels: panels),
            ]
        }
        // The sky and the track are roughly square if possible.
        let middle = max(figures, min(rest * 2 / 5, height))
        let right = rest - middle - 2
        // Sentences are in the column where most of them fit; the longest have 82 characters.
        let lines: [any Panel] = [SentencesPanel()]
        let isWide = right > 76
        return [
            Column(width: figures, panels: texts + (isWide ? [] : lines)),
            Column(width: middle, panels: [SkyPanel(), TrackPanel()]),
            Column(width: right, panels: [BarsPanel(), TablePanel()] + (isWide ? lines : [])),
        ]
    }

    /// Returns the panels of a view, without the panels of the first column. Returns none for the
    /// overview, which has its own layout.
    private static func panels(of page: ScreenSettings.Page, height: Int) -> [any Panel] {
        switch page {
        case .overview: []
        // A circle with only six rows would be unreadable, so the satellites are listed instead.
        case .sky: height > SkyPanel().fallbackRows ? [SkyPanel()] : [TablePanel()]
        case .signals: [BarsPanel()]
        case .satellites: [TablePanel()]
        case .track: [TrackPanel(), TripPanel()]
        case .receiver: [ReceiverPanel(), MixPanel()]
        case .sentences: [SentencesPanel(), MixPanel()]
        }
    }

    private static func drawn(_ column: Column, _ scene: Scene, height: Int) -> Canvas {
        var shown: [(panel: any Panel, rows: Int)] = []
        var left = height
        // If there are very few rows, only the position is shown.
        if let position = column.panels.first as? PositionPanel, position.minimumRows + 1 > height {
            shown = [(position, height)]
            left = 0
        }
        for panel in column.panels where panel.minimumRows + 1 <= left {
            shown.append((panel, panel.minimumRows + 1))
            left -= panel.minimumRows + 1
        }
        if shown.isEmpty {
            let panel = column.panels.first { $0.fallbackRows + 1 <= left } ?? column.panels.first
            shown = panel.map { [($0, left)] } ?? []
            left = 0
        }
        // The remaining rows are distributed one by one among the panels that can use them.
        var isGiven = true
        while left > 0, isGiven {
            isGiven = false
            for index in shown.indices where left > 0 {
                let useful = shown[index].panel.usefulRows(scene).map { $0 + 1 } ?? height
                guard shown[index].rows < useful else { continue }
                shown[index].rows += 1
                left -= 1
                isGiven = true
            }
        }
        var canvas = Canvas(width: column.width, height: height)
        var y = 0
        for (panel, rows) in shown {
            canvas.place(panel.drawn(scene, width: column.width, height: rows), 0, y)
            y += rows
        }
        return canvas
    }
}
