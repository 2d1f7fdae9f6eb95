// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct BaudRateTests {
    @Test(arguments: [Int.min, -9600, 0, 4_000_001, .max])
    func `rejects impossible rates, and zero, which hangs up`(rate: Int) {
        #expect(BaudRate(rawValue: rate) == nil)
    }

    @Test(arguments: [1, 4800, 12_345, 4_000_000])
    func `accepts any possible rate`(rate: Int) {
        #expect(BaudRate(rawValue: rate)?.rawValue == rate)
    }

    @Test func `receivers start with 9600 baud`() {
        #expect(BaudRate.default.rawValue == 9600)
    }
}
