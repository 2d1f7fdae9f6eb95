// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct LegacyConstellationTests {
    @Test(
        arguments: [
            ([.gps, .glonass, .beiDou], "GLONASS and BeiDou together with GPS or Galileo"),
            ([.glonass, .beiDou], "this combination"),
        ] as [(Set<Constellation>, String)])
    func `a refused combination of an M8 is explained`(
        _ constellations: Set<Constellation>, _ reason: String
    ) {
        var chip = LegacyChip()
        (chip.simultaneous, chip.refusesConstellations) = (3, true)
        let request = DatabaseTests.request { $0.constellations = constellations }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, _)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused)
        #expect(error.reason.hasSuffix(reason), "\(error.reason)")
    }

    @Test(arguments: [[.gps, .galileo], [.gps, .glonass]] as [Set<Constellation>])
    func `the user of an M8 is told that Galileo needs a restart`(
        _ constellations: Set<Constellation>
    ) throws {
        var chip = LegacyChip()
        chip.supported = 0x0F
        let request = DatabaseTests.request { $0.constellations = constellations }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(
            report.warnings.contains { $0.contains("Galileo only after a restart") }
                == constellations.contains(.galileo), "\(report.warnings)")
    }

    @Test(
        arguments: [
            ([.gps, .galileo], nil, nil, true), ([.gps, .glonass], nil, nil, false),
            ([.gps, .galileo], .v4_10, nil, false), ([.gps, .galileo], nil, .ubx, false),
        ] as [(Set<Constellation>, NMEAVersion?, MessageSelection?, Bool)])
    func `the user is told that NMEA 4_0 does not number satellites of Galileo`(
        _ constellations: Set<Constellation>, _ version: NMEAVersion?,
        _ messages: MessageSelection?, _ isWarned: Bool
    ) throws {
        var chip = LegacyChip()
        chip.supported = 0x0F
        let request = DatabaseTests.request {
            $0.constellations = constellations
            $0.nmeaVersion = version
            $0.messages = messages
        }
        var conversation = Conversation(request, chip)
        let warnings = try conversation.report().warnings
        #expect(
            warnings.contains { $0.contains("NMEA 4.0 may omit satellites of Galileo") }
                == isWarned, "\(warnings)")
    }

    @Test func `an empty list of constellations does not advise leaving one out`() {
        var conversation = Conversation(
            DatabaseTests.request { $0.constellations = [] }, LegacyChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "needs at least one constellation" && error.remedy == nil)
    }
}
