// SPDX-License-Identifier: MIT

/// How a cell looks: what it means, which a terminal turns into a colour, and how it stands out.
package struct Style: Hashable, Sendable {
    /// The meaning of text, which has a colour.
    package enum Role: UInt8, CaseIterable, Sendable {
        case plain, good, fair, poor, accent
        case gps, glonass, galileo, beiDou, sbas, qzss, navIC
    }

    /// The meaning of the text, from which its colour follows.
    package var role: Role
    /// In heavier type.
    package var isBold = false
    /// Background and foreground swapped: cannot be missed, without colours either.
    package var isReversed = false
    /// Less important than the rest.
    package var isDim = false

    /// Creates a style without emphasis.
    package init(_ role: Role = .plain) { self.role = role }

    /// As the terminal writes by itself.
    package static let plain = Style()
    /// Rules, labels and axes.
    package static let dim = Style().dim
    /// The most important text.
    package static let bold = Style().bold
    /// Bars from edge to edge.
    package static let bar = Style().reversed

    /// The same in heavier type.
    package var bold: Style { Self.with(self) { $0.isBold = true } }
    /// The same with background and foreground swapped.
    package var reversed: Style { Self.with(self) { $0.isReversed = true } }
    /// The same, less important.
    package var dim: Style { Self.with(self) { $0.isDim = true } }

    private static func with(_ style: Style, _ change: (inout Style) -> Void) -> Style {
        var style = style
        change(&style)
        return style
    }
}
