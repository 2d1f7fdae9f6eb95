// SPDX-License-Identifier: MIT

/// Makes untrusted text safe to show on a terminal.
package enum TerminalText {
    /// Returns the text with control characters replaced by escapes such as `\u{1B}`. Names of
    /// files and devices may contain them, and a terminal would interpret them.
    package static func safe(_ text: String) -> String {
        let text = FileName.shown(text)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            isControl(scalar)
                ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : String(scalar)
        }.joined()
    }

    /// Returns whether a character is a control character or changes the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
