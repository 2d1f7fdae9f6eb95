// SPDX-License-Identifier: MIT

/// Text for XML.
package enum XMLText {
    /// What may stand between tags: marks are escaped, and what XML cannot hold becomes a `?`.
    package static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += Array("&amp;".utf8)
            case "<": bytes += Array("&lt;".utf8)
            case ">": bytes += Array("&gt;".utf8)
            case "\"": bytes += Array("&quot;".utf8)
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE
                bytes += Array((isAllowed ? String(scalar) : "?").utf8)
            }
        }
        return bytes
    }
}
