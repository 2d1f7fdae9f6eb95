// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ConfigurationTextTests {
    @Test func `the version of the protocol has two decimals`() {
        var chip = DatabaseChip()
        chip.hasFlash = false
        var conversation = Conversation(ConfigurationRequest(), chip)
        guard case .done(let report)? = conversation.run() else {
            Issue.record("not done")
            return
        }
        let lines = ConfigurationText.lines(report)
        #expect(lines.contains { $0.hasPrefix("protocol ") && $0.hasSuffix(" 34.10") }, "\(lines)")
    }
}
