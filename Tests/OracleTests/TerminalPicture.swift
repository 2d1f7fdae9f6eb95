// SPDX-License-Identifier: MIT

/// The contents of a terminal of 80 by 24, for the control sequences of `xterm` that the screen uses.
struct TerminalPicture {
    private var cells = Self.blank
    private var cursor = (x: 0, y: 0)

    private static let blank = [[Character]](
        repeating: [Character](repeating: " ", count: 80), count: 24)

    /// The rows, without blanks at their ends.
    var rows: [String] {
        cells.map { row in
            String(row.prefix((row.lastIndex { $0 != " " } ?? -1) + 1))
        }
    }

    /// Shows the output of a program, which ends with a complete control sequence.
    mutating func show(_ bytes: [UInt8]) {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1B}": control(&scalars)
            case "\r": cursor.x = 0
            case "\n": cursor.y += 1
            default:
                guard cells.indices.contains(cursor.y), cells[0].indices.contains(cursor.x) else {
                    continue
                }
                cells[cursor.y][cursor.x] = Character(scalar)
                cursor.x += 1
            }
        }
    }

    private mutating func control(_ scalars: inout Substring.UnicodeScalarView) {
        switch scalars.popFirst() {
        case "(": scalars = scalars.dropFirst()
        case "[":
            let words = scalars.prefix { !("@"..."~").contains($0) }
            scalars = scalars.dropFirst(words.count)
            let numbers = String(words).split(separator: ";").map { Int($0) ?? 0 }
            switch scalars.popFirst() {
            case "H":
                cursor = ((numbers.dropFirst().first ?? 1) - 1, (numbers.first ?? 1) - 1)
            case "J": cells = Self.blank
            default: break
            }
        default: break
        }
    }
}
