// SPDX-License-Identifier: MIT

/// A drawing of dots. Each cell has two by four dots, as in Braille characters.
struct Braille {
    private let width: Int
    private let height: Int
    private var masks: [UInt8]

    /// Creates an empty drawing. The size is in cells.
    init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        masks = Array(repeating: 0, count: self.width * self.height)
    }

    /// Sets a dot. Has no effect outside the drawing.
    mutating func set(_ x: Int, _ y: Int) {
        guard 0..<width * 2 ~= x, 0..<height * 4 ~= y else { return }
        let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        masks[y / 4 * width + x / 2] |= bits[y % 4 * 2 + x % 2]
    }

    /// Draws a line from `a` to `b`, in dots.
    mutating func line(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int)) {
        let steps = max(abs(b.x - a.x), abs(b.y - a.y))
        // Such a long line is nearly all outside the drawing and is omitted.
        guard steps <= 4 * (width * 2 + height * 4) else { return }
        for step in 0...steps {
            let fraction = steps == 0 ? 0 : Double(step) / Double(steps)
            set(
                a.x + Int((Double(b.x - a.x) * fraction).rounded()),
                a.y + Int((Double(b.y - a.y) * fraction).rounded()))
        }
    }

    /// Writes the cells that contain dots to a canvas.
    func draw(_ glyphs: Glyphs, on canvas: inout Canvas) {
        for (index, mask) in masks.enumerated() where mask != 0 {
            let braille = Unicode.Scalar(0x2800 + UInt32(mask)).map(String.init) ?? "*"
            let sign = glyphs.isASCII ? (mask.nonzeroBitCount > 2 ? "#" : "*") : braille
            canvas.write(sign, index % width, index / width, Style(.accent))
        }
    }
}
