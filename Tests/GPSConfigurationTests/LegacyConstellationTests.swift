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
}
