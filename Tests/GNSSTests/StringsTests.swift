// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct PluralTests {
    @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (2, "2 bytes")])
    func `only a count of 1 has the singular`(_ count: Int, _ expected: String) {
        #expect(Plural.text(count, "byte") == expected)
    }

    @Test func `an irregular plural and its verb are given`() {
        #expect(Plural.text(1, "fix was", "fixes were") == "1 fix was")
        #expect(Plural.text(3, "fix was", "fixes were") == "3 fixes were")
    }
}
