// SPDX-License-Identifier: MIT
import GNSS

/// The whole screen: tabs, the banner, panels and keys.
package enum Screen {
    /// Draws the selected receiver, at any size.
    package static func draw(
        _ models: [ScreenModel], _ settings: ScreenSettings, at now: ClockReading, width: Int,
        height: Int
    ) -> Canvas {
        var canvas = Canvas(width: width, height: height)
        guard !models.isEmpty, canvas.width > 0, canvas.height > 0 else { return canvas }
        let selected = min(max(0, settings.selected), models.count - 1)
        let scene = Scene(model: models[selected], settings: settings, now: now)
        let hasKeys = height >= 8
        drawTitle(models, selected, scene, on: &canvas)
        if height > 1 {
            let banner = Banner(scene)
            canvas.fill(row: 1, banner.style)
            canvas.write(banner.text, 1, 1, banner.style)
        }
        let rows = canvas.height - (hasKeys ? 3 : 2)
        if rows > 0 {
            let body =
                settings.isHelpShown
                ? Help.draw(settings, width: canvas.width, height: rows)
                : Layout.draw(scene, width: canvas.width, height: rows)
            canvas.place(body, 0, 2)
        }
        if hasKeys { drawKeys(settings, hasTabs: models.count > 1, on: &canvas) }
        return canvas
    }

    private static func drawTitle(
        _ models: [ScreenModel], _ selected: Int, _ scene: Scene, on canvas: inout Canvas
    ) {
        canvas.fill(row: 0, .bar)
        var x = 1
        for (index, model) in models.enumerated() {
            let style = index == selected ? Style.bar.bold : .bar
            let label = models.count > 1 ? "\(index + 1):\(model.name)" : model.name
            let isChosen = models.count > 1 && index == selected
            x = canvas.write(isChosen ? "[\(label)]" : " \(label) ", x, 0, style)
        }
        let seconds = scene.now.unix / 1_000_000_000 + Int64(scene.settings.zoneOffset)
        let day = Int(((seconds % 86_400) + 86_400) % 86_400)
        let clock = [day / 3600, day / 60 % 60, day % 60].map { String($0, width: 2) }
        let frozen = scene.settings.isFrozen ? " FROZEN " : ""
        let right = " " + frozen + clock.joined(separator: ":") + " "
        if x + right.count <= canvas.width || scene.settings.isFrozen {
            canvas.write(right, endingAt: canvas.width, 0, Style.bar.bold)
        }
    }

    private static func drawKeys(
        _ settings: ScreenSettings, hasTabs: Bool, on canvas: inout Canvas
    ) {
        let y = canvas.height - 1
        var x = 1
        for (key, word) in Help.short(hasTabs: hasTabs) {
            guard x + key.count + word.count + 1 <= canvas.width else { break }
            x = canvas.write(key, x, y, .bold)
            x = canvas.write(" \(word)", x, y, .dim) + 2
        }
    }
}
