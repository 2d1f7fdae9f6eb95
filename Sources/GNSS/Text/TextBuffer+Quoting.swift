// SPDX-License-Identifier: MIT

extension TextBuffer {
    /// Appends a JSON string with its quotes; what is not ASCII is escaped.
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
                for shift in [12, 8, 4, 0] as [UInt16] {
                    append(Hexadecimal.lowercase(UInt8(unit >> shift & 15)))
                }
            }
        }
        append(character: "\"")
    }

    /// Appends text for XML: marks are escaped, and what XML cannot hold becomes a `?`.
    package mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE
                append(text: isAllowed ? String(scalar) : "?")
            }
        }
    }
}

extension String {
    /// The text as a JSON string, with its quotes.
    package init(json text: String) {
        self = TextBuffer.text { $0.append(json: text) }
    }

    /// The text as it stands between the tags of XML.
    package init(xml text: String) {
        self = TextBuffer.text { $0.append(xml: text) }
    }
}

/// Hexadecimal digits.
package enum Hexadecimal {
    /// The digit of a value from 0 to 15: `0` to `9`, `A` to `F`.
    package static func uppercase(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// The same with small letters.
    package static func lowercase(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
