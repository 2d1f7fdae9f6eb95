// SPDX-License-Identifier: MIT
import GNSS

extension FieldReader {
    /// Reads the text of the field. `^` and two hexadecimal digits encode a Latin-1 character.
    public mutating func text() -> String? {
        let field = next()
        return text(field.start, field.end)
    }

    /// Reads the text of all remaining fields, including the commas between them.
    public mutating func remainingText() -> String? {
        let start = position
        var end = start
        repeat { end = next().end } while !isAtEnd
        return text(start, end)
    }

    private func text(_ start: Int, _ end: Int) -> String? {
        guard start < end else { return nil }
        var scalars = String.UnicodeScalarView()
        var i = start
        while i < end {
            if bytes[i] == UInt8(ascii: "^"), i + 2 < end,
                let character = Hexadecimal.value(bytes[i + 1], bytes[i + 2])
            {
                scalars.append(Unicode.Scalar(character))
                i += 3
            } else {
                scalars.append(Unicode.Scalar(bytes[i]))
                i += 1
            }
        }
        return String(scalars)
    }
}
