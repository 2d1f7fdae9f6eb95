// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct AirohaTests {
    private static let chip = ScriptedChip([
        ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
        ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
        ("$PAIR050", ["PAIR001,050,0"]), ("$PAIR513", ["PAIR001,513,0"]),
        ("$PAIR004", ["PAIR001,004,0"]), ("$PAIR005", ["PAIR001,005,0"]),
        ("$PAIR006", ["PAIR001,006,0"]),
    ])

    @Test(
        arguments: [(.hot, "$PAIR004"), (.warm, "$PAIR005"), (.cold, "$PAIR006")]
            as [(ConfigurationRequest.Restart, String)])
    func `a restart does not switch the receiver off`(
        _ restart: ConfigurationRequest.Restart, _ command: String
    ) throws {
        var request = ConfigurationRequest()
        request.restart = restart
        var conversation = Conversation(request, Self.chip)
        try conversation.report()
        #expect(conversation.chip.requests.contains(command))
        #expect(!conversation.chip.requests.contains("$PAIR003"))
    }

    @Test func `SBAS, which no command switches, is refused, and not left out`() {
        let request = DatabaseTests.request { $0.constellations = [.gps, .sbas] }
        var conversation = Conversation(request, Self.chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "cannot switch SBAS on or off")
    }

    @Test(arguments: [true, false])
    func `a Quectel module with an Airoha chip has the same identity whichever answer comes first`(
        _ isChipFirst: Bool
    ) {
        var session = ConfigurationSession(
            ConfigurationRequest(), line: ConfigurationLine(baudRate: 115_200))
        let now = MonotonicInstant.now
        while session.next(at: now) != nil {}
        let chip = sentence("PAIR020,AG3335A_V2.5.0.AG3335_20220622,S,N")
        let module = sentence("PQTMVERNO,LC29HDANR11A03S,2022/09/14,11:47:03")
        for answer in isChipFirst ? [chip, module] : [module, chip] {
            session.receive(answer, at: now)
        }
        guard case .progress(.identified(let identity))? = session.next(at: now) else {
            Issue.record("not identified")
            return
        }
        #expect(identity.description == "Airoha LC29HD (LC29HDANR11A03S 2022/09/14)")
    }

    @Test(arguments: [1, 5] as [Double])
    func `what some firmware does not save is not reported as permanent`(_ rate: Double) throws {
        var request = DatabaseTests.request { $0.rate = rate }
        request.saves = true
        var conversation = Conversation(request, Self.chip)
        let report = try conversation.report()
        #expect(report.saved?.explanation.contains("permanently") == (rate == 1))
    }

    @Test(
        arguments: [(5, ["PAIR001,513,2"]), (5, []), (1, ["PAIR001,513,2"])] as [(Double, [String])]
    )
    func `the error advises saving at one fix per second if a chip does not save at more`(
        _ rate: Double, _ answers: [String]
    ) {
        var request = DatabaseTests.request { $0.rate = rate }
        request.saves = true
        var chip = Self.chip
        chip.script.removeAll { $0.request == "$PAIR513" }
        chip.script.append(("$PAIR513", answers))
        var conversation = Conversation(request, chip)
        guard case .failed(let error, _)? = conversation.run() else {
            Issue.record("saved")
            return
        }
        #expect((error.remedy?.contains("--rate 1") ?? false) == (rate > 1))
    }
}
