// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct MediaTekTests {
    private static let chip = ScriptedChip([
        ("$PMTK605", ["PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"]),
        ("$PMTK414", ["PMTK514,LIST"]),
        ("$PMTK400", ["PMTK500,PERIOD,0,0,0.0,0.0"]),
        ("$PMTK220", ["PMTK001,220,3"]), ("$PMTK300", ["PMTK001,300,3"]),
    ])

    private func configure(_ chip: ScriptedChip) -> (ConfigurationResult, requests: [String])? {
        let request = DatabaseTests.request { $0.rate = 5 }
        var conversation = Conversation(request, chip)
        guard case .done(let report)? = conversation.run() else { return nil }
        return (report, conversation.chip.requests)
    }

    @Test func `a chip that calculates and sends positions at different rates gets both`() throws {
        var chip = Self.chip
        chip.hasFixInterval = true
        let result = configure(chip)
        let (report, requests) = try #require(result)
        #expect(requests.contains("$PMTK220,200") && requests.contains("$PMTK300,200,0,0,0,0"))
        #expect(report.after?.configuration.rate == 5)
    }

    @Test func `a chip that sends faster than it reports is set to the reported rate`() throws {
        var chip = Self.chip
        chip.hasFixInterval = true
        _ = chip.answers(to: sentence("PMTK220,200"))
        var conversation = Conversation(DatabaseTests.request { $0.rate = 1 }, chip)
        let report = try conversation.report()
        #expect(report.changes.map(\.description) == ["rate: 5 → 1"])
        let requests = conversation.chip.requests
        #expect(requests.last { $0.hasPrefix("$PMTK220") } == "$PMTK220,1000")
        #expect(!requests.contains { $0.hasPrefix("$PMTK300") })
        let measured = try #require(report.measuredRate)
        #expect(abs(measured - 1) < 0.1)
    }

    @Test func `a chip that sends faster than it reports keeps its rate at another change`()
        throws
    {
        var chip = Self.chip
        chip.hasFixInterval = true
        chip.script.append((request: "$PMTK314", answers: ["PMTK001,314,3"]))
        _ = chip.answers(to: sentence("PMTK220,200"))
        let request = DatabaseTests.request {
            $0.rate = 5
            $0.messages = .list(["RMC": 1, "GGA": 1])
        }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(report.changes.map(\.name) == ["messages"])
        #expect(report.after?.configuration.rate == 5)
    }

    @Test(arguments: [["PMTK001,300,1"], []] as [[String]])
    func `a chip without a separate rate for positions does not need the request`(
        _ answers: [String]
    ) throws {
        var chip = Self.chip
        chip.script.removeAll { $0.request == "$PMTK300" }
        chip.script.append((request: "$PMTK300", answers: answers))
        let result = configure(chip)
        let (report, _) = try #require(result)
        #expect(report.after?.configuration.rate == 5)
    }

    @Test func `the rate of a receiver that sends a sentence with every fifth fix is verified`()
        throws
    {
        var chip = Self.chip
        (chip.sentences, chip.interval) = (["RMC"], 5)
        chip.script.append((request: "$PMTK314", answers: ["PMTK001,314,3"]))
        let request = DatabaseTests.request {
            $0.rate = 5
            $0.messages = .list(["RMC": 5])
        }
        var conversation = Conversation(request, chip)
        let measured = try #require(try conversation.report().measuredRate)
        #expect(abs(measured - 5) < 0.1)
    }

    @Test func `the load of a line is calculated with the requested constellations`() throws {
        var chip = Self.chip
        chip.baudRate = 9600
        chip.script.append((request: "$PMTK353", answers: ["PMTK001,353,3"]))
        let request = DatabaseTests.request {
            $0.constellations = [.gps]
            $0.rate = 2
        }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(!report.warnings.contains { $0.contains("lost") }, "\(report.warnings)")
        #expect(report.warnings.contains { $0.contains("does not report them") })
    }

    @Test func `on a full line, the same messages are no change, and fewer are allowed`()
        throws
    {
        var chip = Self.chip
        chip.baudRate = 9600
        chip.script.append((request: "$PMTK314", answers: ["PMTK001,314,3"]))
        _ = chip.answers(to: sentence("PMTK314,0,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0"))
        var conversation = Conversation(ConfigurationRequest(), chip)
        let state = try #require(try conversation.report().before)
        var request = ConfigurationRequest()
        request.configuration = try ReceiverConfiguration(toml: state.toml)
        #expect(request.configuration.messages == MessageSelection("RMC,VTG,GGA,GSA,GSV"))
        conversation = Conversation(request, chip)
        #expect(try conversation.report().changes.isEmpty)
        request.configuration.messages = .list(["RMC": 1, "GGA": 1, "GSV": 1])
        conversation = Conversation(request, chip)
        #expect(try conversation.report().changes.map(\.name) == ["messages"])
        // More fixes would increase the load.
        request.configuration.rate = 2
        conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .lineTooSlow)
    }

    @Test(arguments: [Constellation.sbas, .qzss, .navIC])
    func `a constellation without a command is refused, and not left out`(
        _ constellation: Constellation
    ) {
        let request = DatabaseTests.request { $0.constellations = [.gps, constellation] }
        var conversation = Conversation(request, Self.chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "cannot switch \(constellation.name) on or off")
    }

    @Test func `an error about an unsupported rate does not advise a higher baud rate`() {
        var chip = Self.chip
        chip.baudRate = 9600
        var conversation = Conversation(DatabaseTests.request { $0.rate = 20 }, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .unsupported && error.reason.contains("at most 10"), "\(error)")
    }
}

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

@Suite(.timeLimit(.generous))
struct QuectelTests {
    @Test func `a rate that a module applies after a restart is undone, with a remedy`() {
        let request = DatabaseTests.request { $0.rate = 5 }
        let chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01"]),
            ("$PQTMCFGFIXRATE,R", ["PQTMCFGFIXRATE,OK,PERIOD"]),
            ("$PQTMCFGFIXRATE,W,", ["PQTMCFGFIXRATE,OK"]),
        ])
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .restored)? = conversation.run() else {
            Issue.record("reported as applied")
            return
        }
        #expect(error.code == .notApplied)
        #expect(error.remedy?.contains("PQTMSAVEPAR") == true)
    }

    private func identity(_ script: [(request: String, answers: [String])]) -> ReceiverIdentity? {
        var conversation = Conversation(ConfigurationRequest(), ScriptedChip(script))
        guard case .done(let report)? = conversation.run() else { return nil }
        return report.before?.identity
    }

    @Test(
        arguments: [
            ("LC86GLANR01A02S", .airoha), ("LC29HDANR11A03S", .airoha),
            ("LC79HALNR11A02S", .airoha), ("LG290P03AANR02A01S", .quectel),
        ] as [(String, ReceiverIdentity.Family)])
    func `the name of a module selects its commands`(
        _ name: String, _ family: ReceiverIdentity.Family
    ) {
        let answer = "PQTMVERNO,\(name),2024/04/30,10:53:07"
        #expect(identity([("$PQTMVERNO", [answer])])?.family == family)
    }

    @Test(arguments: ["ERROR,3", "SIMULATED,2026/01/01,00:00:00"])
    func `a module that does not answer with its name is identified by another request`(
        _ answer: String
    ) {
        let found = identity([
            ("$PQTMVERNO", ["PQTMVERNO,\(answer)"]),
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
        ])
        #expect(found?.family == .airoha && found?.model == "AG3335M")
    }
}

/// Settings that a program can request, but a file cannot contain.
@Suite(.timeLimit(.generous))
struct RangeTests {
    private static let mediaTek = ScriptedChip([
        ("$PMTK605", ["PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"]),
        ("$PMTK414", ["PMTK514,LIST"]), ("$PMTK400", ["PMTK500,PERIOD,0,0,0.0,0.0"]),
    ])

    /// Returns the error of a request that changes nothing.
    private func error(
        _ request: ConfigurationRequest, _ chip: some ModelChip
    ) -> ConfigurationError? {
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else { return nil }
        return error
    }

    @Test(arguments: ["0", "-1", "nan", "inf", "1e-300", "1e300"])
    func `a rate that is not possible is an error`(_ text: String) {
        let request = DatabaseTests.request { $0.rate = Double(text) }
        #expect(error(request, Self.mediaTek)?.code == .unsupported)
        #expect(error(request, LegacyChip())?.code == .unsupported)
        #expect(error(request, DatabaseChip())?.code == .unsupported)
    }

    @Test(arguments: ["-1", "nan", "inf", "1e300"])
    func `a speed of static hold that is not possible is an error`(_ text: String) {
        let request = DatabaseTests.request { $0.staticHoldSpeed = Double(text) }
        #expect(error(request, LegacyChip())?.code == .unsupported)
        #expect(error(request, DatabaseChip())?.code == .unsupported)
    }

    @Test(arguments: [-1, 256])
    func `an interval of a message that is not possible is an error`(_ interval: Int) {
        let request = DatabaseTests.request { $0.messages = .list(["RMC": interval]) }
        let reason = "messages: expected 0 to 255 fixes for RMC"
        #expect(error(request, DatabaseChip())?.reason == reason)
    }
}
