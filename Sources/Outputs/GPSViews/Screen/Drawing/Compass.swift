// SPDX-License-Identifier: MIT

/// A horizontal strip of a compass card: the course is in the middle, with 90° to either side.
enum Compass {
    /// The number of degrees per column.
    private static let step = 7.5
    /// The width of the strip in columns, which covers slightly more than 180°.
    static let width = 25

    /// Returns the characters of the strip around a course in degrees: marks, with spaces between
    /// them. Returns only spaces if the course is not valid.
    static func card(_ course: Double, _ glyphs: Glyphs) -> [Unicode.Scalar] {
        var card = Array(repeating: Unicode.Scalar(" "), count: width)
        guard course.isFinite, abs(course) < 1e6 else { return card }
        let middle = width / 2
        for index in 0..<24 {
            // Marks are 15° apart. Every third mark is a name.
            let turned = (Double(index) * 15 - course).truncatingRemainder(dividingBy: 360)
            let offset = turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
            let center = middle + Int(nearest: offset / step)
            guard abs(offset) <= 97.5 else { continue }
            let name = index % 3 == 0 ? Glyphs.wind(Double(index) * 15) : glyphs.ring
            // A name is centred on its mark.
            for (letter, scalar) in name.unicodeScalars.enumerated() {
                let column = center + letter - name.unicodeScalars.count / 2
                if card.indices.contains(column) { card[column] = scalar }
            }
        }
        return card
    }

    /// Draws the strip. The column at the course is highlighted.
    static func draw(
        _ course: Double, _ glyphs: Glyphs, _ x: Int, _ y: Int, _ style: Style,
        on canvas: inout Canvas
    ) {
        for (index, scalar) in card(course, glyphs).enumerated() {
            canvas.write(
                String(scalar), x + index, y,
                index == width / 2 ? style.reversed : scalar == " " ? .plain : style)
        }
    }
}
