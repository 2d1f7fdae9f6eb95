// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// The signals that a wanted constellation needs, on chips with the configuration database.
@Suite(.timeLimit(.generous))
struct SignalTests {
    private static let keys = Dictionary(
        uniqueKeysWithValues: (SignalKey.constellations + SignalKey.signals).map {
            ($0.name, $0.key)
        })

    private func key(_ name: String) throws -> ConfigurationKey {
        try #require(Self.keys[name])
    }

    private func values(of chip: DatabaseChip, _ names: [String]) throws -> [UInt64?] {
        try names.map { chip.values[try key($0)] }
    }

    @Test func `an M10 gets BeiDou's B1C instead of B1I when GLONASS is added`() throws {
        var chip = DatabaseChip()
        chip.hasFlash = false
        for name in ["GLO", "BDS_B1C"] { chip.values[try key(name)] = 0 }
        let request = DatabaseTests.request {
            $0.constellations = [.gps, .galileo, .beiDou, .glonass]
        }
        var conversation = Conversation(request, chip)
        try conversation.report()
        let names = ["BDS", "GLO", "BDS_B1", "BDS_B1C"]
        #expect(try values(of: conversation.chip, names) == [1, 1, 0, 1])
        // Both are set with one request, as the chip refuses every state in between.
        #expect(conversation.chip.requests.filter { $0 == CfgVALSET.id }.count == 1)
    }

    @Test func `an M10 whose other constellations change gets B1C, and B1I stays without a change`()
        throws
    {
        var chip = DatabaseChip()
        chip.hasFlash = false
        chip.values[try key("BDS_B1C")] = 0
        let all: Set<Constellation> = [.gps, .sbas, .galileo, .beiDou, .qzss, .glonass]
        let cases: [(Set<Constellation>, [UInt64?])] = [
            (all, [1, 0]), (all.subtracting([.galileo]), [0, 1]),
        ]
        for (wanted, expected) in cases {
            var conversation = Conversation(
                DatabaseTests.request { $0.constellations = wanted }, chip)
            guard case .done? = conversation.run() else {
                Issue.record("not done")
                continue
            }
            #expect(try values(of: conversation.chip, ["BDS_B1", "BDS_B1C"]) == expected)
        }
    }

    @Test func `a chip with another front end keeps B1I beside GLONASS`() throws {
        var chip = DatabaseChip()
        for name in ["GLO", "BDS_B1C"] { chip.values[try key(name)] = 0 }
        let request = DatabaseTests.request { $0.constellations = [.gps, .beiDou, .glonass] }
        var conversation = Conversation(request, chip)
        try conversation.report()
        #expect(try values(of: conversation.chip, ["BDS_B1", "BDS_B1C"]) == [1, 0])
    }

    @Test func `a constellation without an enabled signal gets those that are on by default`()
        throws
    {
        var chip = DatabaseChip()
        let names = ["BDS_B1", "BDS_B1C", "BDS_B2", "BDS_B2A", "BDS_B3"]
        for name in names + ["BDS"] { chip.values[try key(name)] = 0 }
        var defaults = chip.values
        for name in ["BDS_B1C", "BDS_B2A"] { defaults[try key(name)] = 1 }
        chip.defaults = defaults
        let request = DatabaseTests.request { $0.constellations = [.gps, .beiDou] }
        var conversation = Conversation(request, chip)
        try conversation.report()
        #expect(try values(of: conversation.chip, names) == [0, 1, 0, 1, 0])
        #expect(try values(of: conversation.chip, ["BDS"]) == [1])
    }
}
