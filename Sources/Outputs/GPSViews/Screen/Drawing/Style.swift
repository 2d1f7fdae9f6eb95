// SPDX-License-Identifier: MIT

/// The style of a cell: its role, which determines the colour, and its emphasis.
package struct Style: Hashable, Sendable {
    /// The role of a text. Each role has a colour.
    package enum Role: UInt8, CaseIterable, Sendable {
        case plain, good, fair, poor, accent
        case gps, glonass, galileo, beiDou, sbas, qzss, navIC
    }

    /// The role of the text, which determines its colour.
    package var role: Role
    /// Whether the text is bold.
    package var isBold = false
    /// Whether background and foreground are swapped. This is visible even without colours.
    package var isReversed = false
    /// Whether the text is dimmed because it is less important.
    package var isDim = false

    /// Creates a style without emphasis.
    package init(_ role: Role = .plain) { self.role = role }

    /// The terminal's default style.
    package static let plain = Style()
    /// The style of rules, labels and axes.
    package static let dim = Style().dim
    /// The style of the most important text.
    package static let bold = Style().bold
    /// The style of bars that extend over the full width.
    package static let bar = Style().reversed

    /// The same style, bold.
    package var bold: Style { Self.with(self) { $0.isBold = true } }
    /// The same style with background and foreground swapped.
    package var reversed: Style { Self.with(self) { $0.isReversed = true } }
    /// The same style, dimmed.
    package var dim: Style { Self.with(self) { $0.isDim = true } }

    private static func with(_ style: Style, _ change: (inout Style) -> Void) -> Style {
        var style = style
        change(&style)
        return style
    }
}
