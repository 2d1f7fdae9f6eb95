// SPDX-License-Identifier: MIT

extension SentenceWriter {
    /// Writes text. Characters that would end a field or a sentence, and non-ASCII Latin-1
    /// characters, are escaped as `^` and two hexadecimal digits. Other characters become a
    /// question mark.
    public mutating func text(_ text: String?) {
        append(UInt8(ascii: ","))
        for scalar in (text ?? "").unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else {
                append(UInt8(ascii: "?"))
                continue
            }
            if Self.isPlain(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "^"))
                append(hexadecimal: byte)
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "*"), UInt8(ascii: "$"), UInt8(ascii: "!"),
            UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "~"):
            false
        default:
            0x20...0x7E ~= byte
        }
    }
}
