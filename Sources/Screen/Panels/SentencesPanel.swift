// SPDX-License-Identifier: MIT

/// The last sentences as they came, the newest below.
struct SentencesPanel: Panel {
    let title = "Sentences"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let scroll = isScrolled(scene) ? scene.settings.scroll : 0
        return scroll > 0 ? "the last \(scroll) are below" : ""
    }

    private func isScrolled(_ scene: Scene) -> Bool { scene.settings.page == .sentences }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let all = scene.model.stream.lines
        if isScrolled(scene) { canvas.hiddenRows = max(0, all.count - canvas.height) }
        let lines = all.dropLast(min(canvas.hiddenRows, scene.settings.scroll))
            .suffix(max(0, canvas.height))
        for (row, line) in lines.enumerated() {
            canvas.write(line.text, 1, row)
        }
        if lines.isEmpty { canvas.write("nothing yet", 1, 0, .dim) }
    }
}
