// SPDX-License-Identifier: MIT
import GNSS

/// Text that is shown on a terminal, wherever it comes from.
package enum TerminalText {
    /// The text with `\u{1B}` and the like in place of control characters: names of files and devices
    /// may hold any, and a terminal would obey them.
    package static func safe(_ text: String) -> String {
        let text = FileName.shown(text)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            isControl(scalar)
                ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : String(scalar)
        }.joined()
    }

    /// Control characters, and those that change the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
