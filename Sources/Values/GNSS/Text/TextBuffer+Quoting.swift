// SPDX-License-Identifier: MIT

extension TextBuffer {
    /// Appends a JSON string in quotes. Control characters and non-ASCII characters are escaped.
    package mutating func append(json text: String) {
        append(character: "\"")
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C:
                append(character: "\\")
                append(UInt8(unit))
            case 0x20...0x7E:
                append(UInt8(unit))
            default:
                append("\\u")
                append(hexadecimal: UInt64(unit), width: 4)
            }
        }
        append(character: "\"")
    }

    /// Appends text for XML in one line. `&`, `<`, `>`, `"`, tabs and line ends are escaped. Other
    /// control characters and noncharacters are replaced by `?`.
    package mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\t": append("&#9;")
            case "\n": append("&#10;")
            case "\r": append("&#13;")
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE
                append(text: isAllowed ? String(scalar) : "?")
            }
        }
    }
}

extension String {
    /// Creates a JSON string in quotes.
    package init(json text: String) {
        self = TextBuffer.text { $0.append(json: text) }
    }

    /// Creates the XML text of an element or an attribute.
    package init(xml text: String) {
        self = TextBuffer.text { $0.append(xml: text) }
    }
}
