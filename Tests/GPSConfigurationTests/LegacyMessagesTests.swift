// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct LegacyMessagesTests {
    @Test func `a message that an M8 sends is switched off, though it is rarely used`() throws {
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1]) }
        var chip = LegacyChip()
        chip.intervals[RxmRAWX.id] = 1
        let raw = AlteredChip(chip) { chip, tenth in
            let bytes = chip.output(tenth: tenth)
            guard !bytes.isEmpty, chip.intervals[RxmRAWX.id] == 1 else { return bytes }
            return bytes + UBXFrame.bytes(RxmRAWX.id, payload: [UInt8](repeating: 0, count: 16))
        } answers: {
            $0.answers(to: $1)
        }
        var conversation = Conversation(request, raw)
        let report = try conversation.report()
        #expect(report.changes.first?.description.contains("RXM-RAWX") == true)
        #expect(report.after?.configuration.messages == .list(["RMC": 1]))
        #expect(conversation.chip.chip.intervals[RxmRAWX.id] == 0)
    }

    @Test func `a requested message that is otherwise not read is read from an M8`() throws {
        var chip = LegacyChip()
        chip.intervals[NavTIMELS.id] = 0
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1, "NAV-TIMELS": 5]) }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(conversation.chip.intervals[NavTIMELS.id] == 5)
        #expect(report.after?.configuration.messages == .list(["RMC": 1, "NAV-TIMELS": 5]))
    }

    @Test func `messages that gpsd has enabled are shown, and switched off`() throws {
        let messages = [UBXMessageID(0x01, 0x01), UBXMessageID(0x01, 0x11)]
        var legacy = LegacyChip()
        var database = DatabaseChip()
        for message in messages {
            legacy.intervals[message] = 1
            let output = try #require(MessageOutput.output(message))
            database.values[output.key(on: .uart1)] = 1
        }
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1]) }
        var first = Conversation(request, legacy)
        var second = Conversation(request, database)
        for report in [try first.report(), try second.report()] {
            let change = report.changes.first?.description
            #expect(change?.contains("NAV-POSECEF") == true, "\(report.changes)")
            #expect(change?.contains("NAV-VELECEF") == true)
            #expect(report.after?.configuration.messages == .list(["RMC": 1]))
        }
        #expect(messages.allSatisfy { first.chip.intervals[$0] == 0 })
    }

    @Test func `a chip without acknowledgements is read within half a minute`() throws {
        let silent = AlteredChip(LegacyChip()) { chip, bytes in
            chip.answers(to: bytes).filter { UBXFrame($0.bytes.span)?.id != AckACK.id }
        }
        var conversation = Conversation(ConfigurationRequest(), silent)
        let report = try conversation.report()
        #expect(report.before?.configuration.rate == 1)
        #expect(report.before?.configuration.messages != nil)
        #expect(conversation.milliseconds < 30_000)
    }

    @Test func `a message that the chip refuses is reported before any change`() {
        let request = DatabaseTests.request { $0.messages = .list(["RMC": 1, "NAV-HPPOSLLH": 1]) }
        var conversation = Conversation(request, LegacyChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "has no message NAV-HPPOSLLH")
        #expect(conversation.chip.changes.isEmpty)
    }

    @Test(arguments: [("15.00", ["NAV-SAT"]), ("18.00", ["NAV-SAT", "NAV-EOE"])])
    func `an M8 of any firmware reports its satellites in NAV-SAT`(
        _ version: String, _ names: [String]
    ) throws {
        var chip = LegacyChip()
        chip.protocolVersion = version
        var conversation = Conversation(DatabaseTests.request { $0.messages = .ubx }, chip)
        let report = try conversation.report()
        let expected = ["NAV-PVT", "NAV-DOP"] + names
        let list = Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) })
        #expect(report.after?.configuration.messages == .list(list))
    }
}

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

@Suite(.timeLimit(.generous))
struct UnusedMessagesTests {
    /// The number of requests for the interval of a message.
    private func polls(
        _ chip: LegacyChip = LegacyChip(), _ change: (inout ReceiverConfiguration) -> Void
    ) -> Int {
        var request = DatabaseTests.request(change)
        request.omitsUnusedMessages = true
        var conversation = Conversation(request, chip)
        let outcome = conversation.run()
        if case .done? = outcome {} else { Issue.record("\(String(describing: outcome))") }
        return conversation.written.count(where: { UBXFrame($0.span)?.id == CfgMSG.id })
    }

    @Test func `the messages of an M8 can be read only if a change depends on them`() {
        #expect(polls { $0.minimumElevation = 10 } == 0)
        #expect(polls { $0.rate = 0.5 } == 28)
    }

    @Test func `a receiver that sent nothing before a change was not silenced by it`() {
        var chip = LegacyChip()
        chip.intervals = chip.intervals.mapValues { _ in 0 }
        #expect(polls(chip) { $0.minimumElevation = 10 } == 0)
    }
}

@Suite(.timeLimit(.generous))
struct UnansweredMessagesTests {
    /// A chip that does not answer the requests for the interval of RMC.
    private func secretive<Chip: ModelChip>(_ chip: Chip) -> AlteredChip<Chip> {
        AlteredChip(chip) { asksForRMC($1) ? [] : $0.answers(to: $1) }
    }

    private func asksForRMC(_ bytes: [UInt8]) -> Bool {
        guard let frame = UBXFrame(bytes.span) else { return false }
        let rmc = UBXMessageID(0xF0, 0x04)
        if frame.id == CfgMSG.id { return CfgMSG.poll(rmc) == bytes }
        guard let output = MessageOutput.output(rmc) else { return false }
        let keys = CfgVALGET(payload: frame.payload)?.keys ?? []
        return frame.id == CfgVALGET.id && keys.contains(output.key(on: .uart1))
    }

    @Test func `a list of messages that may be incomplete is not reported, and a warning says so`()
        throws
    {
        var first = Conversation(ConfigurationRequest(), secretive(LegacyChip()))
        var second = Conversation(ConfigurationRequest(), secretive(DatabaseChip()))
        for report in [try first.report(), try second.report()] {
            #expect(report.before?.configuration.messages == nil)
            #expect(report.after?.configuration.messages == nil)
            #expect(report.warnings.count == 1)
            #expect(report.warnings.first?.contains("did not answer a request") == true)
        }
    }

    @Test func `an M8 that does not answer for a message is not said to have switched it off`() {
        let request = DatabaseTests.request { $0.messages = .list(["GGA": 1]) }
        var conversation = Conversation(request, secretive(LegacyChip()))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("changed")
            return
        }
        #expect(error.code == .noAnswer && error.reason.contains("RMC"), "\(error)")
    }

    @Test func `a receiver that answers all requests has no warning`() throws {
        var first = Conversation(ConfigurationRequest(), LegacyChip())
        var second = Conversation(ConfigurationRequest(), DatabaseChip())
        for report in [try first.report(), try second.report()] {
            #expect(report.before?.configuration.messages != nil)
            #expect(report.warnings.isEmpty, "\(report.warnings)")
        }
    }
}
