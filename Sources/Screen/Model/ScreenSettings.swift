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
    /// By how many rows what does not fit is moved: down, of sentences up to older ones.
    package private(set) var scroll = 0
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
        if let rows = Self.rows(key) { return move(by: rows) }
        if isHelpShown, key != .character("q") {
            (isHelpShown, scroll) = (false, 0)
            return .redraw
        }
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character("?"), .character("h"): (isHelpShown, scroll) = (true, 0)
        case .character("p"): notation = notation.next
        case .character("u"): units = units.next
        case .character("v"), .right: (page, scroll) = (page.next, 0)
        case .left: (page, scroll) = (page.previous, 0)
        case .character("s"): order = order.next
        case .character("f"), .character(" "): isFrozen.toggle()
        case .tab where receivers > 1: select((selected + 1) % receivers)
        case .character(let digit) where digit.isASCII && digit.isWholeNumber:
            let index = (digit.wholeNumberValue ?? 0) - 1
            guard 0..<receivers ~= index else { return .nothing }
            select(index)
        case .redraw: return .repaint
        default: return .nothing
        }
        return .redraw
    }

    private mutating func select(_ index: Int) {
        (selected, scroll) = (index, 0)
    }

    // MARK: What does not fit

    /// More than there ever is.
    private static let everything = 1 << 20

    /// By how many rows a key moves; `nil` for one that does not.
    private static func rows(_ key: Key) -> Int? {
        switch key {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -10
        case .pageDown: 10
        case .home: -everything
        case .end: everything
        default: nil
        }
    }

    private mutating func move(by rows: Int) -> Answer {
        let isReversed = page == .sentences && !isHelpShown
        let moved = min(Self.everything, max(0, scroll + (isReversed ? -rows : rows)))
        guard moved != scroll else { return .nothing }
        scroll = moved
        return .redraw
    }

    /// Takes note of how many rows did not fit when this was drawn: nobody is moved beyond them.
    package mutating func limitScroll(to hidden: Int) {
        scroll = min(scroll, hidden)
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
