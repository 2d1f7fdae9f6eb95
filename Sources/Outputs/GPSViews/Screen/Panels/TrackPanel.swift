// SPDX-License-Identifier: MIT
import GNSS

/// The track of the last ten minutes, drawn to scale with north at the top.
struct TrackPanel: Panel {
    let title = "Track"
    let minimumRows = 6

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let seconds = scene.model.track.duration
        guard seconds > 0 else { return "" }
        guard seconds >= 60 else { return "last \(Int(nearest: seconds.rounded(.up))) s" }
        let minutes = Int(nearest: (seconds / 60).rounded(.down))
        return minutes == 1 ? "last minute" : "last \(minutes) minutes"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let points = scene.model.track.points
        guard let last = points.last, canvas.height > 2, canvas.width > 10 else {
            canvas.write("no track yet", 1, 0, .dim)
            return
        }
        // The last row contains the scale. Dots are as wide as they are high.
        let size = (width: Double(canvas.width * 2 - 2), height: Double(canvas.height * 4 - 8))
        let plane = LocalPlane(at: last.coordinate)
        let box = PlaneBox(points.map(\.coordinate), on: plane)
        // The map is at least 20 m wide. On a smaller map, only noise would be visible.
        let metres = max(
            20 / size.width, box.width / size.width, box.height / max(1, size.height))
        var dots = Braille(width: canvas.width, height: canvas.height - 1)
        let dot = { (coordinate: Coordinate) in
            let position = plane.point(at: coordinate)
            return (
                x: Int(nearest: size.width / 2 + (position.east - box.middle.east) / metres),
                y: Int(nearest: size.height / 2 - (position.north - box.middle.north) / metres) + 2
            )
        }
        let way = points.map { dot($0.coordinate) }
        for (start, end) in zip(way, way.dropFirst()) { dots.line(start, end) }
        dots.draw(scene.settings.glyphs, on: &canvas)
        let here = dot(last.coordinate)
        canvas.write(scene.settings.glyphs.here, here.x / 2, here.y / 4, Style(.accent).bold)
        drawScale(metres, scene, on: &canvas)
    }

    private func drawScale(_ metresPerDot: Double, _ scene: Scene, on canvas: inout Canvas) {
        let (glyphs, units) = (scene.settings.glyphs, scene.settings.units)
        let length = units.roundLength(notAbove: metresPerDot * Double(canvas.width))
        let columns = max(1, Int(nearest: length / metresPerDot / 2))
        let bar = "|" + String(repeating: glyphs.rule, count: max(0, columns - 1)) + "|"
        let end = canvas.write(bar, 1, canvas.height - 1, .dim)
        canvas.write(units.scale(length), end + 1, canvas.height - 1)
        // In ASCII, the arrow to the north is also the letter N.
        let north = glyphs.isASCII ? "N" : "N" + glyphs.arrow(0)
        canvas.write(north, endingAt: canvas.width - 1, 0, .dim)
    }
}
