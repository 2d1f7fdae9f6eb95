// SPDX-License-Identifier: MIT

/// The user's settings of the screen, and the abilities of the terminal.
package struct ScreenSettings: Hashable, Sendable {
    /// The views. The sky and the signals fill the screen; the others are beside the column with
    /// the position.
    package enum Page: Int, CaseIterable, Sendable {
        case overview, sky, signals, satellites, track, receiver, sentences
    }

    /// The order of satellites.
    package enum Order: Int, CaseIterable, Sendable { case number, signal, elevation }

    /// The notation of positions.
    package var notation = PositionNotation.decimal
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// The view shown.
    package var page = Page.overview
    /// The order of satellites.
    package var order = Order.number
    /// Whether the screen is frozen.
    package var isFrozen = false
    /// Whether the keys are explained.
    package var isHelpShown = false
    /// The number of rows scrolled: down; for sentences up, to older ones.
    package private(set) var scroll = 0
    /// The number of columns that sentences are scrolled to the right.
    package private(set) var sideways = 0
    /// The index of the receiver shown.
    package var selected = 0
    /// Whether the terminal shows ASCII only.
    package var isASCII = false
    /// The offset of local time from UTC in seconds, positive to the east.
    package var zoneOffset = 0
    /// The abbreviation of the local time zone.
    package var zoneName = "UTC"

    /// Creates the default settings.
    package init() {}

    var glyphs: Glyphs { Glyphs(isASCII: isASCII) }

    /// The program's reaction to a key.
    package enum KeyAction: Sendable { case quit, redraw, repaint, nothing }

    /// Handles a key; `receivers` is their number.
    package mutating func press(_ key: Key, receivers: Int) -> KeyAction {
        if let rows = Self.rows(key) { return scroll(by: rows) }
        if isHelpShown {
            (isHelpShown, scroll) = (false, 0)
            return .redraw
        }
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character("?"), .character("h"): (isHelpShown, scroll) = (true, 0)
        case .character("<"), .character(","): return scrollSideways(by: -Self.columns)
        case .character(">"), .character("."): return scrollSideways(by: Self.columns)
        case .character("p"): notation = notation.next
        case .character("u"): units = units.next
        case .character("v"), .right: show(page.next)
        case .character("V"), .left: show(page.previous)
        case .character("s"): order = order.next
        case .character("f"), .character(" "): isFrozen.toggle()
        case .tab where receivers > 1: select((selected + 1) % receivers)
        case .backTab where receivers > 1: select((selected + receivers - 1) % receivers)
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
        (selected, scroll, sideways) = (index, 0, 0)
    }

    private mutating func show(_ page: Page) {
        (self.page, scroll, sideways) = (page, 0, 0)
    }

    // MARK: Scrolling

    /// A number of rows above any real one.
    private static let everything = 1 << 20
    /// The columns per horizontal scrolling step.
    private static let columns = 8

    /// Returns the number of rows that a key scrolls; `nil` for other keys.
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

    private mutating func scroll(by rows: Int) -> KeyAction {
        let isReversed = page == .sentences && !isHelpShown
        let moved = min(Self.everything, max(0, scroll + (isReversed ? -rows : rows)))
        guard moved != scroll else { return .nothing }
        scroll = moved
        return .redraw
    }

    private mutating func scrollSideways(by columns: Int) -> KeyAction {
        let moved = max(0, sideways + columns)
        guard moved != sideways else { return .nothing }
        sideways = moved
        return .redraw
    }

    /// Limits scrolling to the content that did not fit when the canvas was drawn.
    package mutating func limitScroll(to canvas: Canvas) {
        scroll = min(scroll, canvas.hiddenRows)
        sideways = min(sideways, canvas.hiddenColumns)
    }
}

extension CaseIterable where Self: RawRepresentable, RawValue == Int {
    /// The next case; the first after the last.
    var next: Self { Self(rawValue: (rawValue + 1) % Self.allCases.count) ?? self }

    /// The previous case; the last before the first.
    var previous: Self {
        Self(rawValue: (rawValue + Self.allCases.count - 1) % Self.allCases.count) ?? self
    }
}
