// SPDX-License-Identifier: MIT

/// The last sentences as they came, the newest below.
struct SentencesPanel: Panel {
    let title = "Sentences"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let lines = scene.model.stream.lines.suffix(max(0, canvas.height))
        for (row, line) in lines.enumerated() {
            canvas.write(line.text, 1, row)
        }
        if lines.isEmpty { canvas.write("nothing yet", 1, 0, .dim) }
    }
}
