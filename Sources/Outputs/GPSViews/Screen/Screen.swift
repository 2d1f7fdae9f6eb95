// SPDX-License-Identifier: MIT
// Re-exported, because every panel formats numbers with functions of GNSS.
@_exported public import GNSS

/// The whole screen: title, banner, panels and keys.
package enum Screen {
    /// Draws the screen of the selected receiver for any screen size.
    package static func draw(
        _ models: [ScreenModel], _ settings: ScreenSettings, at now: ClockReading, width: Int,
        height: Int
    ) -> Canvas {
        var canvas = Canvas(width: width, height: height)
        guard !models.isEmpty, canvas.width > 0, canvas.height > 0 else { return canvas }
        let selected = min(max(0, settings.selected), models.count - 1)
        let scene = Scene(model: models[selected], settings: settings, now: now)
        let hasKeys = height >= 8
        drawTitle(models.map(\.name), selected, scene, on: &canvas)
        if height > 1 {
            let banner = Banner(scene)
            canvas.fill(row: 1, banner.style)
            canvas.write(shortened: banner.text, 1, 1, banner.style)
        }
        let rows = canvas.height - (hasKeys ? 3 : 2)
        if rows > 0 {
            let body =
                settings.isHelpShown
                ? Help.draw(settings, width: canvas.width, height: rows)
                : Layout.draw(scene, width: canvas.width, height: rows)
            canvas.place(body, 0, 2)
        }
        if hasKeys, let message = settings.message {
            canvas.write(shortened: message, 1, canvas.height - 1, .bold)
        } else if hasKeys {
            let keys = Help.short(
                settings, hasTabs: models.count > 1, hasMore: settings.scroll < canvas.hiddenRows)
            drawKeys(keys, on: &canvas)
        }
        return canvas
    }

    private static func drawTitle(
        _ names: [String], _ selected: Int, _ scene: Scene, on canvas: inout Canvas
    ) {
        canvas.fill(row: 0, .bar)
        let seconds = scene.now.unix / 1_000_000_000 + Int64(scene.settings.zone.offset)
        let clock = TimeOfDay(secondsOfDay: Int(seconds)).clock
        let marks =
            (scene.settings.isRecording ? " REC" : "") + (scene.settings.isFrozen ? " FROZEN" : "")
        let address = scene.settings.pageAddress.map { " \($0)" } ?? ""
        var right = "\(address)\(marks) \(clock) "
        if canvas.width < right.count + 24 { right = "\(marks) \(clock) " }
        // A narrow screen has no clock, but still shows that it is frozen or that the receiver is
        // recorded.
        let hasClock = !marks.isEmpty || canvas.width >= right.count + 24
        let room = canvas.width - 1 - (hasClock ? right.count : 0)
        var x = 1
        for piece in TabBar(names, selected, room: room).pieces {
            x = canvas.write(piece.text, x, 0, piece.isSelected ? Style.bar.bold : .bar)
        }
        if hasClock { canvas.write(right, endingAt: canvas.width, 0, Style.bar.bold) }
    }

    private static func drawKeys(_ keys: [(String, String)], on canvas: inout Canvas) {
        let y = canvas.height - 1
        var x = 1
        for (key, word) in keys {
            guard x + key.count + word.count + 1 <= canvas.width else { break }
            x = canvas.write(key, x, y, .bold)
            x = canvas.write(" \(word)", x, y, .dim) + 2
        }
    }
}

/// The names of the receivers in the title row: the selected one, and as many others next to it as
/// fit.
struct TabBar {
    /// A part of the row: the label of a receiver, or a mark for omitted ones.
    struct Piece: Hashable {
        let text: String
        let isSelected: Bool
    }

    private(set) var pieces: [Piece] = []

    /// The minimum length to which a name is shortened.
    private static let minimumNameLength = 12

    init(_ names: [String], _ selected: Int, room: Int) {
        guard names.count > 1 else {
            pieces = [
                Piece(text: " " + Self.shortened(names.first ?? "", room - 1), isSelected: true)
            ]
            return
        }
        var labels = Self.labels(names, limit: max(Self.minimumNameLength, room - 6))
        // If not all labels fit, long names are shortened before any are omitted.
        if labels.reduce(0, { $0 + $1.count + 2 }) > room {
            let fitting = room / names.count - 5
            let isEnough = fitting >= Self.minimumNameLength
            labels = Self.labels(
                names, limit: isEnough ? fitting : max(Self.minimumNameLength, room / 4 - 5))
        }
        let shown = Self.range(labels.map { $0.count + 2 }, around: selected, room: room)
        if shown.lowerBound > 0 { pieces.append(Piece(text: "<", isSelected: false)) }
        for index in shown {
            let isSelected = index == selected
            let text = isSelected ? "[\(labels[index])]" : " \(labels[index]) "
            pieces.append(Piece(text: text, isSelected: isSelected))
        }
        if shown.upperBound < labels.count { pieces.append(Piece(text: ">", isSelected: false)) }
    }

    private static func labels(_ names: [String], limit: Int) -> [String] {
        names.enumerated().map { "\($0 + 1):\(shortened($1, limit))" }
    }

    /// Returns the end of a name that is longer than `limit`, because the ends of names differ
    /// most: `..by-id/usb-u-blox_7-if00`.
    private static func shortened(_ name: String, _ limit: Int) -> String {
        name.count <= limit ? name : ".." + name.suffix(max(0, limit - 2))
    }

    /// Returns the range of labels that fit, extended from the selected one to both sides.
    private static func range(_ widths: [Int], around selected: Int, room: Int) -> Range<Int> {
        var range = selected..<selected + 1
        var width = widths[selected]
        while true {
            // Reserves space for the marks of omitted labels.
            let marks = 2
            let (next, previous) = (range.upperBound, range.lowerBound - 1)
            if next < widths.count, width + widths[next] + marks <= room {
                width += widths[next]
                range = range.lowerBound..<next + 1
            } else if previous >= 0, width + widths[previous] + marks <= room {
                width += widths[previous]
                range = previous..<range.upperBound
            } else {
                return range
            }
        }
    }
}
