// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

/// A chip on a line that returns every request before the answer.
private struct EchoingChip<Chip: ModelChip>: ModelChip {
    var chip: Chip

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        [(0, bytes)] + chip.answers(to: bytes)
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct EchoTests {
    private func before<Chip: ModelChip>(_ chip: Chip) -> ReceiverState? {
        var conversation = Conversation(ConfigurationRequest(), EchoingChip(chip: chip))
        guard case .done(let report)? = conversation.run() else { return nil }
        return report.before
    }

    @Test func `an echo is not an answer`() {
        let chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01"]),
            ("$PQTMCFGELETHD,R", ["PQTMCFGELETHD,OK,5.0"]),
        ])
        #expect(before(chip)?.configuration.minimumElevation == 5)
    }

    @Test func `a u-blox chip on a line that echoes is read completely`() {
        let legacy = before(LegacyChip())?.configuration
        #expect(legacy?.constellations == [.gps, .sbas, .qzss, .glonass])
        let database = before(DatabaseChip())?.configuration
        #expect(database?.rate == 1 && database?.messages != nil)
    }
}
