// SPDX-License-Identifier: MIT

/// A stretch of a satellite's way on which the fix used it all the time, or never.
struct SkyLine {
    private(set) var points: [Point]
    let isUsed: Bool
    let color: Color

    /// Pixels.
    var length: Double {
        zip(points, points.dropFirst()).reduce(0) { sum, pair in
            let (x, y) = (pair.1.x - pair.0.x, pair.1.y - pair.0.y)
            return sum + (x * x + y * y).squareRoot()
        }
    }

    /// The stretches of a way.
    static func lines(_ path: SkyPath, _ color: Color, _ dial: HorizonCircle) -> [SkyLine] {
        var lines: [SkyLine] = []
        for point in path.points + [path.last].compactMap(\.self) {
            let place = dial.place(
                elevation: Double(point.elevation), azimuth: Double(point.azimuth))
            guard !point.beginsSegment, let line = lines.last, let last = line.points.last else {
                lines.append(SkyLine(points: [place], isUsed: point.isUsed, color: color))
                continue
            }
            if line.isUsed == point.isUsed {
                lines[lines.count - 1].points.append(place)
            } else {
                lines.append(SkyLine(points: [last, place], isUsed: point.isUsed, color: color))
            }
        }
        return lines.filter { $0.points.count > 1 }
    }
}
