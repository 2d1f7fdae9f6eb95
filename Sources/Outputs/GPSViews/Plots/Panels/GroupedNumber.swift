// SPDX-License-Identifier: MIT

/// Formats large numbers.
enum GroupedNumber {
    /// Returns a number such as `216 000`. Numbers from ten thousand on have narrow no-break spaces
    /// between groups of three digits.
    static func text(_ count: Int) -> String {
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
