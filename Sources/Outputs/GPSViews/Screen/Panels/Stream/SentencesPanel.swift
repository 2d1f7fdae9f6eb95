// SPDX-License-Identifier: MIT

/// The last sentences as received, newest at the bottom. The reason for a rejection is shown before
/// the rejected sentence.
struct SentencesPanel: Panel {
    let title = "Sentences"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        guard isView(scene) else { return "" }
        let scroll = scene.settings.scroll
        return scroll > 0 ? "the last \(scroll) lines are below" : "< >: sideways"
    }

    /// Returns whether the panel is the current view. Only then can it be scrolled.
    private func isView(_ scene: Scene) -> Bool { scene.settings.page == .sentences }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let all = scene.model.stream.lines
        if isView(scene) { canvas.hiddenRows = max(0, all.count - canvas.height) }
        let lines = all.dropLast(min(canvas.hiddenRows, scene.settings.scroll))
            .suffix(max(0, canvas.height))
        if isView(scene) {
            let longest = lines.map { reason($0).count + $0.text.unicodeScalars.count }.max() ?? 0
            canvas.hiddenColumns = max(0, longest + 2 - canvas.width)
        }
        let skipped = min(canvas.hiddenColumns, scene.settings.sideways)
        for (row, line) in lines.enumerated() {
            let style = line.rejection == nil ? Style.plain : Style(.poor)
            // The reason does not scroll sideways.
            let x = canvas.write(reason(line), 1, row, style)
            let text = line.text.unicodeScalars.dropFirst(skipped)
            canvas.write(String(String.UnicodeScalarView(text)), x, row, style)
        }
        if lines.isEmpty { canvas.write("nothing yet", 1, 0, .dim) }
    }

    private func reason(_ line: StreamHistory.Line) -> String {
        guard let words = line.rejection?.words else { return "" }
        return line.text.isEmpty ? words : words + ": "
    }
}
