// SPDX-License-Identifier: MIT

/// The user's choices on the screen, and the capabilities of the terminal.
package struct ScreenSettings: Hashable, Sendable {
    /// A view of the receiver's data. On a wide screen, `sky` and `signals` fill the screen; the
    /// others are to the right of a column with the position.
    package enum Page: Int, CaseIterable, Sendable {
        case overview, sky, signals, satellites, ephemerides, track, receiver, sentences
    }

    /// The order of satellites in the table.
    package enum Order: Int, CaseIterable, Sendable { case number, signal, elevation }

    package var notation = PositionNotation.decimal
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// The current view.
    package var page = Page.overview
    /// The order of satellites.
    var order = Order.number
    package var isFrozen = false
    /// Whether the receiver is also recorded.
    package var isRecording = false
    /// The URL of the live web page that shows the same receivers; `nil` if there is none.
    package var pageAddress: String?
    /// A message that replaces the keys in the last row; `nil` if there is none.
    package var message: String?
    package var isHelpShown = false
    /// The number of rows scrolled: downwards or, in the view of sentences, upwards to older ones.
    package private(set) var scroll = 0
    /// The number of columns by which sentences are scrolled to the right.
    package private(set) var sideways = 0
    /// The index of the receiver that is shown.
    package var selected = 0
    /// Whether the terminal can show only ASCII.
    package var isASCII = false
    /// The local time zone now.
    package var zone = LocalZone()
    /// The local time zone at the time of the fix. A recording may be from another season.
    package var fixZone = LocalZone()

    /// Creates the default settings.
    package init() {}

    var glyphs: Glyphs { Glyphs(isASCII: isASCII) }

    /// The action to take after a key: quit, redraw the changes, redraw the whole screen, or
    /// nothing.
    package enum KeyAction: Sendable { case quit, redraw, repaint, nothing }

    /// Applies a key to the settings. `receivers` is the number of receivers.
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

    /// The maximum of `scroll`: more rows than any content has.
    private static let maximumScroll = 1 << 20
    /// The number of columns per horizontal scrolling step.
    private static let columns = 8

    /// Returns the number of rows that a key scrolls, negative upwards; `nil` for other keys.
    private static func rows(_ key: Key) -> Int? {
        switch key {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -10
        case .pageDown: 10
        case .home: -maximumScroll
        case .end: maximumScroll
        default: nil
        }
    }

    private mutating func scroll(by rows: Int) -> KeyAction {
        let isReversed = page == .sentences && !isHelpShown
        let moved = min(Self.maximumScroll, max(0, scroll + (isReversed ? -rows : rows)))
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

    /// Limits scrolling to the rows and columns that did not fit on the canvas.
    package mutating func limitScroll(to canvas: Canvas) {
        scroll = min(scroll, canvas.hiddenRows)
        sideways = min(sideways, canvas.hiddenColumns)
    }
}

extension CaseIterable where Self: RawRepresentable, RawValue == Int {
    /// The next case, or the first one after the last.
    var next: Self { Self(rawValue: (rawValue + 1) % Self.allCases.count) ?? self }

    /// The previous case, or the last one before the first.
    var previous: Self {
        Self(rawValue: (rawValue + Self.allCases.count - 1) % Self.allCases.count) ?? self
    }
}
