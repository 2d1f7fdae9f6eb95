// SPDX-License-Identifier: MIT

/// Numbers as a sheet writes them.
enum Figure {
    /// `216 000`: from ten thousand on in groups of three, with a narrow space that does not break.
    static func grouped(_ count: Int) -> String {
        let digits = String(count)
        guard digits.count > 4 else { return digits }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }
}
