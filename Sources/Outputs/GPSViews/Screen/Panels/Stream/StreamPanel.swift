// SPDX-License-Identifier: MIT
import GNSS

/// The rate, latency and rejections of the stream, and its kinds of sentences.
struct StreamPanel: Panel {
    let title = "Stream"
    let minimumRows = 3

    func usefulRows(_ scene: Scene) -> Int? { 9 }

    func note(_ scene: Scene) -> String { "\(scene.model.stream.sentences) sentences" }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let stream = scene.model.stream
        var rows = Rows(scene)
        let rate = scene.model.period.flatMap {
            $0 > 0 ? String(1 / $0, decimals: 2) + " Hz" : nil
        }
        rows.add("Rate", rate)
        // Latency is meaningless for a recording, because its times are in the past.
        let latency = scene.model.origin == .replay ? nil : stream.latency
        let jitter = stream.jitter.map {
            ", jitter \(scene.settings.glyphs.plusMinus)\(Self.milliseconds($0))"
        }
        rows.add("Latency", latency.map { Self.milliseconds($0) + (jitter ?? "") })
        let parts = stream.rejections.sorted().map { "\($0.name) \($0.count)" }
        let sum = "\(stream.rejected)"
        let width = canvas.width - Rows.column
        rows.add(
            "Rejected", parts.isEmpty ? "none" : Self.fitting(parts, behind: sum, in: width),
            parts.isEmpty ? nil : Style(.fair))
        rows.draw(on: &canvas)
        MixPanel.draw(stream.mix, from: 3, on: &canvas)
    }

    /// Returns `sum`, followed by as many of `parts` as fit completely in `width` columns.
    private static func fitting(_ parts: [String], behind sum: String, in width: Int) -> String {
        var text = sum
        for (index, part) in parts.enumerated() {
            let next = text + (index == 0 ? ": " : ", ") + part
            guard next.count <= width else {
                return text + (index > 0 && text.count + 4 <= width ? ", .." : "")
            }
            text = next
        }
        return text
    }

    private static func milliseconds(_ seconds: Double) -> String {
        abs(seconds) < 10
            ? "\(String(seconds * 1000, decimals: 0)) ms" : "\(String(seconds, decimals: 0)) s"
    }
}
