// SPDX-License-Identifier: MIT

/// The last sentences as received, the newest below; rejected ones with the reason in front.
struct SentencesPanel: Panel {
    let title = "Sentences"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        guard isView(scene) else { return "" }
        let scroll = scene.settings.scroll
        return scroll > 0 ? "the last \(scroll) are below" : "< >: sideways"
    }

    /// Whether it is the view, in which it is scrolled.
    private func isView(_ scene: Scene) -> Bool { scene.settings.page == .sentences }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let all = scene.model.stream.lines
        if isView(scene) { canvas.hiddenRows = max(0, all.count - canvas.height) }
        let lines = all.dropLast(min(canvas.hiddenRows, scene.settings.scroll))
            .suffix(max(0, canvas.height))
        let texts = lines.map { line in
            [line.rejection?.words, line.text.isEmpty ? nil : line.text]
                .compactMap(\.self).joined(separator: ": ")
        }
        if isView(scene) {
            let longest = texts.map(\.unicodeScalars.count).max() ?? 0
            canvas.hiddenColumns = max(0, longest + 2 - canvas.width)
        }
        let skipped = min(canvas.hiddenColumns, scene.settings.sideways)
        for (row, (line, text)) in zip(lines, texts).enumerated() {
            let style = line.rejection == nil ? Style.plain : Style(.poor)
            canvas.write(
                text.unicodeScalars.dropFirst(skipped).map(String.init).joined(), 1, row, style)
        }
        if lines.isEmpty { canvas.write("nothing yet", 1, 0, .dim) }
    }
}
