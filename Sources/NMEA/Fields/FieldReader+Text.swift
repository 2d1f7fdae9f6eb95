// SPDX-License-Identifier: MIT

extension FieldReader {
    /// The text of the field; `^` and two hexadecimal digits stand for a Latin-1 character.
    public mutating func text() -> String? {
        let (start, end) = field()
        return text(start, end)
    }

    /// The text of all the fields that are left, with the commas between them.
    public mutating func remainingText() -> String? {
        let (start, first) = field()
        var end = first
        while !isAtEnd { end = field().end }
        return text(start, end)
    }

    private func text(_ start: Int, _ end: Int) -> String? {
        guard start < end else { return nil }
        var scalars = String.UnicodeScalarView()
        var i = start
        while i < end {
            if byte(i) == UInt8(ascii: "^"), i + 2 < end, let high = hexValue(byte(i + 1)),
                let low = hexValue(byte(i + 2))
            {
                scalars.append(Unicode.Scalar(high << 4 | low))
                i += 3
            } else {
                scalars.append(Unicode.Scalar(byte(i)))
                i += 1
            }
        }
        return String(scalars)
    }
}
