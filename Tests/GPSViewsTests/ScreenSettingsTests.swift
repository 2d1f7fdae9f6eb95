// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct ScreenSettingsTests {
    @Test func `keys cycle through notations, units, views and orders`() {
        var settings = ScreenSettings()
        let turns: [(Key, Int)] = [
            (.character("p"), PositionNotation.allCases.count),
            (.character("u"), Units.allCases.count),
            (.character("v"), ScreenSettings.Page.allCases.count),
            (.character("s"), ScreenSettings.Order.allCases.count),
        ]
        for (key, count) in turns {
            let before = settings
            for turn in 1...count {
                _ = settings.press(key, receivers: 1)
                #expect((settings == before) == (turn == count))
            }
        }
        _ = settings.press(.left, receivers: 1)
        #expect(settings.page == .sentences)
    }

    @Test func `receivers are selected with the tab key and by number`() {
        var settings = ScreenSettings()
        _ = settings.press(.tab, receivers: 1)
        #expect(settings.selected == 0)
        _ = settings.press(.tab, receivers: 3)
        #expect(settings.selected == 1)
        _ = settings.press(.character("3"), receivers: 3)
        #expect(settings.selected == 2)
        _ = settings.press(.character("4"), receivers: 3)
        _ = settings.press(.character("0"), receivers: 3)
        #expect(settings.selected == 2)
        _ = settings.press(.tab, receivers: 3)
        #expect(settings.selected == 0)
        for selected in [2, 1, 0] {
            _ = settings.press(.backTab, receivers: 3)
            #expect(settings.selected == selected)
        }
        #expect(Key.keys(in: Array("\u{1B}[Z".utf8)) == [.backTab])
        #expect(Key.keys(in: [0x1B, 0x09, 0x09]) == [.backTab, .tab])
    }

    @Test func `any key closes the help, also q`() {
        var settings = ScreenSettings()
        _ = settings.press(.character("?"), receivers: 1)
        #expect(settings.isHelpShown)
        _ = settings.press(.character("p"), receivers: 1)
        #expect(!settings.isHelpShown)
        #expect(settings.notation == .decimal)
        _ = settings.press(.character("?"), receivers: 1)
        guard case .redraw = settings.press(.character("q"), receivers: 1) else {
            Issue.record("q quits")
            return
        }
        #expect(!settings.isHelpShown)
        guard case .quit = settings.press(.character("q"), receivers: 1) else {
            Issue.record("q does not quit")
            return
        }
    }

    @Test func `the help explains the letters of constellations at 80x24`() {
        var receiver = SeededReceiver()
        receiver.watch(3)
        var settings = ScreenSettings()
        press(&settings, .character("?"), on: receiver)
        let text = shown(receiver, settings).text
        for constellation in Constellation.allCases {
            #expect(text.contains(" \(constellation.letter) "), "add to Help.swift")
            #expect(text.contains(constellation.name), "add to Help.swift")
        }
    }

    @Test func `sentences scroll sideways only to their end`() {
        var receiver = SeededReceiver()
        receiver.watch(50)
        var settings = ScreenSettings()
        settings.page = .sentences
        let start = shown(receiver, settings)
        for _ in 0..<100 { press(&settings, .character(">"), on: receiver) }
        let end = shown(receiver, settings)
        #expect(end.text != start.text)
        #expect(end.hiddenColumns == settings.sideways)
        press(&settings, .character("<"), on: receiver)
        #expect(shown(receiver, settings) != end)
        for _ in 0..<100 { press(&settings, .character("<"), on: receiver) }
        #expect(shown(receiver, settings) == start)
    }

    private func shown(_ receiver: SeededReceiver, _ settings: ScreenSettings) -> Canvas {
        Screen.draw([receiver.model], settings, at: receiver.now, width: 80, height: 24)
    }

    private func press(
        _ settings: inout ScreenSettings, _ keys: Key..., on receiver: SeededReceiver
    ) {
        for key in keys {
            _ = settings.press(key, receivers: 2)
            settings.limitScroll(to: shown(receiver, settings))
        }
    }

    @Test(arguments: [ScreenSettings.Page.satellites, .sentences])
    func `content that does not fit scrolls only to its end`(
        _ page: ScreenSettings.Page
    ) {
        var receiver = SeededReceiver()
        receiver.watch(50)
        var settings = ScreenSettings()
        settings.page = page
        let (further, back): (Key, Key) = page == .sentences ? (.up, .down) : (.down, .up)
        let (last, first): (Key, Key) = page == .sentences ? (.home, .end) : (.end, .home)
        let start = shown(receiver, settings)
        press(&settings, last, on: receiver)
        let end = shown(receiver, settings)
        #expect(end.text != start.text)
        press(&settings, further, on: receiver)
        #expect(shown(receiver, settings) == end)
        press(&settings, back, on: receiver)
        #expect(shown(receiver, settings).text != end.text)
        press(&settings, first, on: receiver)
        #expect(shown(receiver, settings) == start)
        // Another receiver or another view starts at its beginning.
        press(&settings, last, .tab, on: receiver)
        #expect(settings.scroll == 0)
        press(&settings, last, .character("v"), on: receiver)
        #expect(settings.scroll == 0)
    }

    @Test func `each satellite and each sentence is seen once while scrolling`() {
        var receiver = SeededReceiver()
        receiver.watch(50)
        var settings = ScreenSettings()
        settings.page = .satellites
        var seen: Set<String> = []
        for _ in 0..<receiver.model.satellites.count {
            let text = shown(receiver, settings).text
            for satellite in receiver.model.satellites where text.contains(" \(satellite.id) ") {
                seen.insert("\(satellite.id)")
            }
            press(&settings, .down, on: receiver)
        }
        #expect(seen.count == receiver.model.satellites.count)
    }

    @Test func `the help is complete in a narrow window`() {
        var receiver = SeededReceiver()
        receiver.watch(3)
        var settings = ScreenSettings()
        _ = settings.press(.character("?"), receivers: 1)
        let text = Screen.draw(
            [receiver.model], settings, at: receiver.now, width: 40, height: 50
        ).text
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("position: decimal, minutes, DMS, UTM, MGRS, Maidenhead"))
        #expect(words.contains("radius in metres that contains the true position (68 %)"))
    }

    @Test func `the help scrolls if it does not fit, and any other key closes it`() {
        var receiver = SeededReceiver()
        receiver.watch(3)
        var settings = ScreenSettings()
        press(&settings, .character("?"), on: receiver)
        func help() -> Canvas {
            Screen.draw([receiver.model], settings, at: receiver.now, width: 60, height: 12)
        }
        #expect(!help().text.contains("the last messages (view: sentences)"))
        #expect(help().text.contains("↓ more"))
        for _ in 0..<100 {
            _ = settings.press(.pageDown, receivers: 1)
            settings.limitScroll(to: help())
        }
        #expect(help().text.contains("the last messages (view: sentences)"))
        #expect(!help().text.contains("more"))
        _ = settings.press(.character("p"), receivers: 1)
        #expect(!settings.isHelpShown)
        #expect(settings.scroll == 0)
    }
}
