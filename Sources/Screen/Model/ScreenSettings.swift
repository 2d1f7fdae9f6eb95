// SPDX-License-Identifier: MIT

/// How the user wants things shown, and what the terminal can.
package struct ScreenSettings: Hashable, Sendable {
    /// What fills the place beside the figures.
    package enum Page: Int, CaseIterable, Sendable { case overview, satellites, track, sentences }

    /// What satellites are sorted by.
    package enum Order: Int, CaseIterable, Sendable { case number, signal, elevation }

    /// How the position is written.
    package var notation = PositionNotation.decimal
    /// What lengths and speeds are shown in.
    package var units = Units.metric
    /// What fills the place beside the figures.
    package var page = Page.overview
    /// What satellites are sorted by.
    package var order = Order.number
    /// Whether what is shown stands still.
    package var isFrozen = false
    /// Whether the keys are explained.
    package var isHelpShown = false
    /// Which receiver is shown.
    package var selected = 0
    /// Whether the terminal shows ASCII only.
    package var isASCII = false
    /// Local time: seconds east of UTC.
    package var zoneOffset = 0
    /// What the local time zone is called.
    package var zoneName = "UTC"

    /// Starts with what most people want.
    package init() {}

    var glyphs: Glyphs { Glyphs(isASCII: isASCII) }

    /// What a key came to.
    package enum Answer: Sendable { case quit, redraw, repaint, nothing }

    /// Does what a key is for, with so many receivers.
    package mutating func press(_ key: Key, receivers: Int) -> Answer {
        if isHelpShown, key != .character("q") {
            isHelpShown = false
            return .redraw
        }
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character("?"), .character("h"): isHelpShown = true
        case .character("p"): notation = notation.next
        case .character("u"): units = units.next
        case .character("v"), .right: page = page.next
        case .left: page = page.previous
        case .character("s"): order = order.next
        case .character("f"), .character(" "): isFrozen.toggle()
        case .tab where receivers > 1: selected = (selected + 1) % receivers
        case .character(let digit) where digit.isASCII && digit.isWholeNumber:
            let index = (digit.wholeNumberValue ?? 0) - 1
            guard 0..<receivers ~= index else { return .nothing }
            selected = index
        case .redraw: return .repaint
        default: return .nothing
        }
        return .redraw
    }
}

extension CaseIterable where Self: RawRepresentable, RawValue == Int {
    /// The case behind this one, after the last the first.
    var next: Self { Self(rawValue: (rawValue + 1) % Self.allCases.count) ?? self }

    /// The case before this one.
    var previous: Self {
        Self(rawValue: (rawValue + Self.allCases.count - 1) % Self.allCases.count) ?? self
    }
}
