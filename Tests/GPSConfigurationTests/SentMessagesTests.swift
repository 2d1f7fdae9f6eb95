// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// Messages that are sent unchanged.
@Suite(.timeLimit(.generous))
struct SentMessagesTests {
    @Test(arguments: [true, false])
    func `settings that a message has changed are saved, too`(_ hasFlash: Bool) throws {
        var request = DatabaseTests.request { $0.minimumElevation = 10 }
        let message = CfgVALSET([ConfigurationItem(.measurementPeriod, 500)])
        request.messages = [DescribedMessage(message.frame)]
        request.saves = true
        var chip = DatabaseChip()
        chip.hasFlash = hasFlash
        var conversation = Conversation(request, chip)
        let saved = try #require(try conversation.report().saved)
        #expect(saved.storage == (hasFlash ? .flash : .battery))
        #expect(conversation.chip.saved[.measurementPeriod] == 500)
        #expect(conversation.chip.saved[.minimumElevation] == 10)
    }

    @Test(arguments: ["PMTK220,200", "$PMTK220,200", "PMTK220,200*2C", "$PMTK220,200*2c"])
    func `a sentence may be written as in a manual, with its dollar sign and checksum`(
        _ text: String
    ) throws {
        let message = try #require(try DescribedMessage.messages(in: "nmea \(text)").first)
        #expect(message.bytes == sentence("PMTK220,200"))
    }

    @Test(arguments: ["$", "$*00", "$PMTK220,200*2D", "PMTK220,200*", "PMTK$220", "$$PMTK220"])
    func `a sentence with a wrong checksum or a misplaced sign is refused`(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try DescribedMessage.messages(in: "nmea \(text)")
        }
        #expect(error?.code == .malformedFile)
    }

    @Test func `a command that an Airoha chip does not know is refused, not unanswered`() throws {
        let chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LC29HBANR01A02S_CSA4,2022/07/17,20:59:18"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,1000"]),
            ("$PQTMCFGEINSMSG", ["PAIR001,000,4"]),
        ])
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PQTMCFGEINSMSG,0")
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused)
    }

    @Test func `a Teseo answers a request for a parameter, but not a restart`() throws {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(
            in: "nmea PSTMGETPAR,1201\nnmea PSTMSRR")
        let chip = ScriptedChip([("$PSTMGETPAR", ["PSTMSETPAR,1201,1"])])
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(report.answers == ["$PSTMSETPAR,1201,1"])
        #expect(conversation.chip.requests.filter { $0 == "$PSTMSRR" }.count == 1)
    }

    @Test func `a Teseo refuses a request for a parameter that it does not have`() throws {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(in: "nmea PSTMGETPAR,1999")
        let chip = ScriptedChip([("$PSTMGETPAR", ["PSTMGETPARERROR"])])
        var conversation = Conversation(request, chip)
        guard case .failed(let error, _)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused)
    }

    @Test func `a SiRF chip answers a query with the sentence, and an interval with nothing`()
        throws
    {
        var request = ConfigurationRequest()
        request.messages = try DescribedMessage.messages(
            in: "nmea PSRF103,05,01,00,01\nnmea PSRF103,03,00,00,01")
        var conversation = Conversation(request, ScriptedChip([("$PSRF103,05,01", ["GPVTG,1"])]))
        let report = try conversation.report()
        #expect(report.answers == ["$GPVTG,1"])
        let intervals = conversation.chip.requests.filter { $0.hasPrefix("$PSRF103,03") }
        #expect(intervals.count == 1)
    }
}
