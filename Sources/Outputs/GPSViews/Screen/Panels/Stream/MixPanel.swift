// SPDX-License-Identifier: MIT

/// The number of sentences by kind, and of rejected sentences by reason.
struct MixPanel: Panel {
    let title = "Mix"
    let minimumRows = 2

    func usefulRows(_ scene: Scene) -> Int? {
        let stream = scene.model.stream
        return max(2, (stream.mix.count + 2) / 3 + stream.rejections.count)
    }

    func note(_ scene: Scene) -> String {
        let stream = scene.model.stream
        return "\(stream.sentences) sentences, \(stream.rejected) rejected"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let stream = scene.model.stream
        let row = Self.draw(stream.mix, from: 0, on: &canvas)
        Self.draw(stream.rejections, from: row, width: 24, Style(.fair), on: &canvas)
        if stream.mix.isEmpty, stream.rejections.isEmpty {
            canvas.write("nothing yet", 1, 0, .dim)
        }
    }

    /// Draws names and counts in columns, the most frequent first. Returns the first row below
    /// them.
    @discardableResult
    static func draw(
        _ shares: [StreamHistory.Share], from start: Int, width: Int = 12, _ style: Style = .plain,
        on canvas: inout Canvas
    ) -> Int {
        let shares = shares.sorted()
        let columns = max(1, (canvas.width - 1) / width)
        for (index, share) in shares.enumerated() {
            let (x, y) = (1 + index % columns * width, start + index / columns)
            guard y < canvas.height else { break }
            canvas.write(share.name, x, y, .dim)
            canvas.write(String(share.count), endingAt: x + width - 1, y, style)
        }
        return start + (shares.count + columns - 1) / columns
    }
}
