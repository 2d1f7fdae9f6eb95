// SPDX-License-Identifier: MIT
import Screen
import Testing

struct ScreenSettingsTests {
    @Test func `keys go round through notations, units, views and orders`() {
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

    @Test func `tabs are chosen by tab and by number, as far as there are any`() {
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
    }

    @Test func `any key ends the help, and q quits from everywhere`() {
        var settings = ScreenSettings()
        _ = settings.press(.character("?"), receivers: 1)
        #expect(settings.isHelpShown)
        _ = settings.press(.character("p"), receivers: 1)
        #expect(!settings.isHelpShown)
        #expect(settings.notation == .decimal)
        _ = settings.press(.character("?"), receivers: 1)
        guard case .quit = settings.press(.character("q"), receivers: 1) else {
            Issue.record("q does not quit")
            return
        }
    }
}
