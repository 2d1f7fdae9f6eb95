// SPDX-License-Identifier: MIT

/// The style of a cell: its meaning, which a terminal shows as a colour, and its emphasis.
package struct Style: Hashable, Sendable {
    /// The meaning of text, which has a colour.
    package enum Role: UInt8, CaseIterable, Sendable {
        case plain, good, fair, poor, accent
        case gps, glonass, galileo, beiDou, sbas, qzss, navIC
    }

    /// The meaning of the text, from which its colour follows.
    package var role: Role
    /// Whether the text is bold.
    package var isBold = false
    /// Whether background and foreground are swapped, which is noticeable without colours, too.
    package var isReversed = false
    /// Whether the text is dimmed, as less important.
    package var isDim = false

    /// Creates a style without emphasis.
    package init(_ role: Role = .plain) { self.role = role }

    /// The terminal's default style.
    package static let plain = Style()
    /// Rules, labels and axes.
    package static let dim = Style().dim
    /// The most important text.
    package static let bold = Style().bold
    /// Bars from edge to edge.
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
