// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The track of the last minutes to scale, north above.
struct TrackPanel: Panel {
    let title = "Track"
    let minimumRows = 6

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let seconds = scene.model.track.duration
        guard seconds > 0 else { return "" }
        return seconds <= 60
            ? "last minute" : "last \(Int(nearest: (seconds / 60).rounded(.up))) minutes"
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let points = scene.model.track.points
        guard let last = points.last, canvas.height > 2, canvas.width > 10 else {
            canvas.write("no track yet", 1, 0, .dim)
            return
        }
        // The last row is the scale's; a dot is as wide as it is high.
        let size = (width: Double(canvas.width * 2 - 2), height: Double(canvas.height * 4 - 8))
        let places = points.map { Self.place($0.coordinate, from: last.coordinate) }
        let (east, north) = (Range(places.map(\.x)), Range(places.map(\.y)))
        // Not closer than 20 m across: what is seen then is noise.
        let metres = max(
            20 / size.width, east.length / size.width, north.length / max(1, size.height))
        var dots = Braille(width: canvas.width, height: canvas.height - 1)
        let dot = { (place: (x: Double, y: Double)) in
            (
                x: Int(nearest: size.width / 2 + (place.x - east.middle) / metres),
                y: Int(nearest: size.height / 2 - (place.y - north.middle) / metres) + 2
            )
        }
        for (place, next) in zip(places, places.dropFirst()) { dots.line(dot(place), dot(next)) }
        dots.draw(scene.settings.glyphs, on: &canvas)
        let here = dot((0, 0))
        canvas.write(scene.settings.glyphs.here, here.x / 2, here.y / 4, Style(.accent).bold)
        drawScale(metres, scene, on: &canvas)
    }

    private func drawScale(_ metresPerDot: Double, _ scene: Scene, on canvas: inout Canvas) {
        let (glyphs, units) = (scene.settings.glyphs, scene.settings.units)
        let length = units.handyLength(notAbove: metresPerDot * Double(canvas.width))
        let columns = max(1, Int(nearest: length / metresPerDot / 2))
        let bar = "|" + String(repeating: glyphs.rule, count: max(0, columns - 1)) + "|"
        let end = canvas.write(bar, 1, canvas.height - 1, .dim)
        canvas.write(units.scale(length), end + 1, canvas.height - 1)
        canvas.write("N\(glyphs.arrow(0).trimmedEnd)", endingAt: canvas.width - 1, 0, .dim)
    }

    /// Metres east and north, good enough for some kilometres.
    private static func place(_ point: Coordinate, from centre: Coordinate) -> (
        x: Double, y: Double
    ) {
        var longitude = point.longitude - centre.longitude
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return (
            longitude * 111_320 * cos(centre.latitude * .pi / 180),
            (point.latitude - centre.latitude) * 111_195
        )
    }

    private struct Range {
        let middle: Double
        let length: Double

        init(_ values: [Double]) {
            let (low, high) = (values.min() ?? 0, values.max() ?? 0)
            middle = (low + high) / 2
            length = high - low
        }
    }
}

extension String {
    /// Without blanks behind, and without a letter that has been said.
    fileprivate var trimmedEnd: String { self == "N " ? "" : self }
}
