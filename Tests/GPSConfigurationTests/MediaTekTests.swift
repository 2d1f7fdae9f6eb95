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

    private func configure(_ chip: ScriptedChip) -> (ConfigurationReport, requests: [String])? {
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
