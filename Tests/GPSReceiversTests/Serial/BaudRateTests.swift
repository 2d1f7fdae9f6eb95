// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct BaudRateTests {
    @Test(arguments: [Int.min, -9600, 0, 4_000_001, .max])
    func `refuses what no line can do, and zero, which hangs up`(rate: Int) {
        #expect(BaudRate(rawValue: rate) == nil)
    }

    @Test(arguments: [1, 4800, 12_345, 4_000_000])
    func `takes any rate a line can do`(rate: Int) {
        #expect(BaudRate(rawValue: rate)?.rawValue == rate)
    }

    @Test func `receivers start with 9600 baud`() {
        #expect(BaudRate.default.rawValue == 9600)
    }
}
