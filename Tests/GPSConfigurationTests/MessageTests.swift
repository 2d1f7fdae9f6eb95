// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct MessageTests {
    @Test func `frames of CASIC have the bytes of a recorded chip`() {
        // 2026-07-22, ATGM332D-5N31.
        #expect(
            CASICFrame.bytes(CASICFrame.message, payload: [0x0A, 0x04, 0xFF, 0xFF])
                == [0xBA, 0xCE, 4, 0, 6, 1, 0x0A, 4, 0xFF, 0xFF, 0x0E, 4, 5, 1])
        #expect(
            CASICFrame.bytes(
                CASICFrame.port, payload: [0xFF, 0xFF, 0xC0, 0x08, 0, 0x4B, 0, 0])
                == [
                    0xBA, 0xCE, 8, 0, 6, 0, 0xFF, 0xFF, 0xC0, 8, 0, 0x4B, 0, 0, 7, 0x4B, 0xC7, 8,
                ])
    }

    @Test func `settings that are longer in some firmware are written back whole`() throws {
        var payload = CfgNAVX5().payload
        payload[0] = 3
        payload += [1, 2, 3, 4]
        let read = CfgNAVX5(payload: payload.span)
        var settings = try #require(read)
        #expect(settings.payload == payload)
        settings.autonomousAssistance = 1
        #expect(settings.payload.count == 44)
    }

    @Test func `sentences have their checksum`() {
        #expect(TextLine.sentence("PMTK220,100") == Array("$PMTK220,100*2F\r\n".utf8))
        #expect(TextLine.sentence("PAIR050,100") == Array("$PAIR050,100*22\r\n".utf8))
        #expect(TextLine.sentence("PCAS00") == Array("$PCAS00*01\r\n".utf8))
    }

    /// The answers of all protocols, in pieces of any size, with noise before and between them.
    @Test(arguments: 1...40)
    func `a session does not depend on how bytes are split`(_ size: Int) {
        var chip = DatabaseChip()
        let version = chip.answers(to: UBXFrame.bytes(MonVER.id, payload: [])).flatMap(\.bytes)
        let noise: [UInt8] = [0xB5, 0x00, 0xBA, 0xCE, 0xFF, 0xAA, 0x44, 0x24, 0x47, 0x23]
        let bytes =
            noise + sentence("GNRMC,120000.00,V") + version + sentence("GNGGA,120000.00,,,,,0")
        var session = ConfigurationSession(
            ConfigurationRequest(), line: ConfigurationLine(baudRate: 38400))
        let now = MonotonicInstant.now
        while session.next(at: now) != nil {}
        for start in stride(from: 0, to: bytes.count, by: size) {
            session.receive(Array(bytes[start...].prefix(size)), at: now)
        }
        guard case .progress(.identified(let identity))? = session.next(at: now) else {
            Issue.record("not identified")
            return
        }
        #expect(identity.model == "ZED-F9P")
    }

    @Test func `no bytes stop a session`() {
        var generator = SeededGenerator(seed: 38)
        let starts: [[UInt8]] = [[0xB5, 0x62], [0xBA, 0xCE], [0xAA, 0x44, 0xB5], [0x24], [0x23]]
        for _ in 0..<200 {
            var session = ConfigurationSession(
                ConfigurationRequest(), line: ConfigurationLine(baudRate: 9600))
            var now = MonotonicInstant.now
            for _ in 0..<50 {
                while session.next(at: now) != nil {}
                let noise = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                    UInt8.random(in: .min ... .max, using: &generator)
                }
                let start = starts.randomElement(using: &generator) ?? []
                session.receive(noise + start, at: now)
                now = now + .milliseconds(100)
            }
        }
    }
}

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
