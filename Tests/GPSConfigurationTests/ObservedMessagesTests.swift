// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

/// Receivers that do not report which messages they send.
@Suite(.timeLimit(.generous))
struct ObservedMessagesTests {
    private static let airoha = ScriptedChip([
        ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
        ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
        ("$PAIR050", ["PAIR001,050,0"]), ("$PAIR062", ["PAIR001,062,0"]),
    ])

    private func request(
        rate: Double, messages: MessageSelection? = nil
    ) -> ConfigurationRequest {
        var request = ConfigurationRequest()
        request.configuration.rate = rate
        request.configuration.messages = messages
        return request
    }

    @Test(arguments: [nil, .list(["RMC": 1])] as [MessageSelection?])
    func `the state after a change contains the messages that were set, or else observed`(
        _ messages: MessageSelection?
    ) throws {
        var conversation = Conversation(request(rate: 5, messages: messages), Self.airoha)
        let report = try conversation.report()
        let after = try #require(report.after?.configuration)
        #expect(after.rate == 5)
        #expect(after.messages == messages ?? .list(["RMC": 1, "GGA": 1]))
    }

    @Test func `intervals that were not known are not reported as restored`() {
        var chip = Self.airoha
        // The receiver confirms the rate, but does not change it.
        chip.obeysRates = false
        var conversation = Conversation(
            request(rate: 5, messages: .list(["RMC": 1])), chip)
        guard case .failed(let error, .partlyRestored)? = conversation.run() else {
            Issue.record("reported as restored")
            return
        }
        #expect(error.code == .notApplied)
        #expect(conversation.chip.requests.last { $0.hasPrefix("$PAIR062") } == "$PAIR062,0,1")
    }

    @Test func `a receiver without a message in the time of observation has unknown messages`()
        throws
    {
        var chip = Self.airoha
        chip.sentences = []
        var conversation = Conversation(ConfigurationRequest(), chip)
        let state = try #require(try conversation.report().before)
        #expect(state.configuration.messages == nil && !state.toml.contains("messages"))
        // The rollback does not switch them off.
        conversation = Conversation(DatabaseTests.request { $0.messages = .list(["RMC": 1]) }, chip)
        guard case .failed(let error, .partlyRestored)? = conversation.run() else {
            Issue.record("not noticed")
            return
        }
        #expect(error.code == .silenced)
        #expect(!conversation.chip.requests.contains("$PAIR062,4,0"))
    }

    @Test func `a receiver that sends its only sentence rarely is not reported as silenced`() throws
    {
        var chip = Self.airoha
        (chip.sentences, chip.interval) = (["RMC"], 20)
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 20]) }
        var conversation = Conversation(request, chip)
        let after = try conversation.report().after
        #expect(after?.configuration.messages == .list(["RMC": 20]))
    }

    @Test func `a baud rate is not advised if gpsbridge cannot set it`() {
        var chip = Self.airoha
        chip.baudRate = 9600
        var conversation = Conversation(request(rate: 10, messages: .nmea), chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .lineTooSlow)
        #expect(error.remedy == "use fewer messages, or a lower rate")
    }

    @Test(
        arguments: [
            (("$PCAS06,0", "GPTXT,01,01,02,SW=URANUS5,V5.3.0.0"), 9),
            (("$PAIR020", "PAIR020,AG3335M_V2.5.0,S,N"), 20),
            (("$PMTK605", "PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"), 5),
        ])
    func `an interval that the chip does not have is refused before any change`(
        _ version: (request: String, answer: String), _ limit: Int
    ) {
        let chip = ScriptedChip([(version.request, [version.answer])])
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1, "GSV": limit + 1]) }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .unsupported && error.reason.contains("every \(limit)th"))
    }
}
