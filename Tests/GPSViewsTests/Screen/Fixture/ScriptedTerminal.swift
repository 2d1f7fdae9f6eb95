// SPDX-License-Identifier: MIT
import GPSViews

/// A terminal with few control sequences that counts the written cells.
struct ScriptedTerminal: TerminalLanguage {
    private(set) var canvas: Canvas
    private(set) var written = 0
    private var cursor = (x: 0, y: 0)
    private var style = Style.plain

    init(width: Int, height: Int) { canvas = Canvas(width: width, height: height) }

    /// Changes the size; the contents are then undefined, as in real terminals.
    mutating func resize(width: Int, height: Int) {
        canvas = Canvas(width: width, height: height)
        for y in 0..<height { canvas.write(String(repeating: "#", count: width), 0, y) }
    }

    func move(x: Int, y: Int) -> [UInt8] { Array("\u{1}\(x),\(y);".utf8) }
    func style(_ style: Style) -> [UInt8] {
        let bits = [style.isBold, style.isReversed, style.isDim].map { $0 ? "1" : "0" }.joined()
        return Array("\u{2}\(style.role.rawValue),\(bits);".utf8)
    }
    var clear: [UInt8] { [3] }

    mutating func take(_ bytes: [UInt8]) {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar.value {
            case 1, 2:
                let words = scalars.prefix { $0 != ";" }
                scalars = scalars.dropFirst(words.count + 1)
                let parts = String(words).split(separator: ",")
                guard parts.count == 2, let first = Int(parts[0]) else { return }
                if scalar.value == 1 {
                    cursor = (first, Int(parts[1]) ?? 0)
                } else {
                    style = Style(Style.Role(rawValue: UInt8(first)) ?? .plain)
                    let bits = parts[1].map { $0 == "1" }
                    (style.isBold, style.isReversed, style.isDim) = (bits[0], bits[1], bits[2])
                }
            case 3: canvas = Canvas(width: canvas.width, height: canvas.height)
            default:
                canvas[cursor.x, cursor.y] = Canvas.Cell(character: scalar, style: style)
                cursor.x += 1
                written += 1
            }
        }
    }
}
