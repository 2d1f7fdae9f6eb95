// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct KeyTests {
    @Test(
        arguments: [
            ("q", [.character("q")]), ("pu", [.character("p"), .character("u")]), ("\t", [.tab]),
            ("\u{1B}[C\u{1B}OD", [.right, .left]), ("\u{1B}[1;5A", [.up]), ("\u{C}", [.redraw]),
            ("\u{1B}[15~v", [.character("v")]), ("\u{1B}", [.other]), ("\n", [.other]),
            ("\u{1B}[", []), ("\u{1B}[1", []),
            ("\u{1B}[5~\u{1B}[6;2~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}OF", [.home, .end]),
            ("\u{1B}[1~\u{1B}[4~\u{1B}[3~", [.home, .end]), ("ü?", [.character("?")]), ("", []),
        ] as [(String, [Key])])
    func `keys are parsed, and other input is ignored`(_ text: String, _ keys: [Key]) {
        #expect(Key.keys(in: Array(text.utf8)) == keys)
    }

    @Test func `any sequence of bytes is parsed without a trap`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max { _ = Key.keys(in: [0x1B, first, second]) }
        }
    }
}
