// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct DialectTests {
    private func request(_ change: (inout ReceiverConfiguration) -> Void) -> ConfigurationRequest {
        var request = ConfigurationRequest()
        change(&request.configuration)
        return request
    }

    private func report(_ outcome: ConfigurationOutcome?) -> ConfigurationResult? {
        if case .done(let report)? = outcome { return report }
        Issue.record("\(String(describing: outcome))")
        return nil
    }

    private func error(_ outcome: ConfigurationOutcome?) -> ConfigurationError? {
        if case .failed(let error, _)? = outcome { return error }
        Issue.record("\(String(describing: outcome))")
        return nil
    }

    // u-blox M8

    @Test func `an M8 is set group by group, and keeps values that were not requested`() throws {
        let requested = request {
            $0.rate = 5
            $0.baudRate = 115_200
            $0.messages = .list(["RMC": 1, "GGA": 1, "NAV-PVT": 1])
            $0.constellations = [.gps, .glonass]
            $0.dynamics = .automotive
            $0.minimumElevation = 12
            $0.nmeaVersion = .v4_10
            $0.staticHoldSpeed = 0.4
            $0.autonomousAssistance = true
        }
        var conversation = Conversation(requested, LegacyChip())
        let after = try #require(report(conversation.run())?.after).configuration
        #expect(after.rate == 5)
        #expect(after.baudRate == 115_200)
        #expect(after.messages == .list(["RMC": 1, "GGA": 1, "NAV-PVT": 1]))
        #expect(after.constellations == [.gps, .glonass, .qzss])
        #expect(after.dynamics == .automotive)
        #expect(after.minimumElevation == 12)
        #expect(after.nmeaVersion == .v4_10)
        #expect(after.staticHoldSpeed == 0.4)
        #expect(after.autonomousAssistance == true)
        #expect(conversation.hostRate == 115_200)
        let navigation = conversation.chip.settings[CfgNAV5.id].flatMap {
            CfgNAV5(payload: $0.span)
        }
        #expect(navigation?.correctionTimeout == 60)
        #expect(conversation.chip.saves == 0)
    }

    @Test func `after a change of an M8, only its group is read again`() throws {
        func requests(_ elevation: Int?) throws -> [UBXMessageID] {
            let requested = request { $0.minimumElevation = elevation }
            var conversation = Conversation(requested, LegacyChip())
            let after = try #require(report(conversation.run())?.after?.configuration)
            #expect(after.minimumElevation == elevation ?? 5 && after.rate == 1)
            return conversation.written.compactMap { UBXFrame($0.span)?.id }
        }
        let (reading, change) = (try requests(nil), try requests(10))
        #expect(change == reading + [CfgNAV5.id, CfgNAV5.id])
    }

    @Test func `the error for an M8 names unsupported constellations, and the limit`() {
        var conversation = Conversation(request { $0.constellations = [.galileo] }, LegacyChip())
        #expect(
            error(conversation.run())?.description
                == "u-blox M8 (SPG 3.01): cannot receive Galileo; the chip or its firmware lacks it; leave it out"
        )
        conversation = Conversation(
            request { $0.constellations = [.gps, .glonass, .beiDou] }, LegacyChip())
        #expect(
            error(conversation.run())?.reason
                == "can receive 2 of these constellations at once, not 3")
        #expect(conversation.chip.changes.isEmpty)
    }

    @Test func `a clone that ignores configuration is an error after a few requests`() {
        var chip = LegacyChip()
        chip.ignoresConfiguration = true
        var conversation = Conversation(request { $0.rate = 5 }, chip)
        #expect(error(conversation.run())?.reason.contains("answered no request") == true)
        #expect(conversation.milliseconds < 20_000)
    }

    @Test func `a chip that receives one constellation at a time needs no warning of it`() throws {
        var chip = LegacyChip()
        for limit: UInt8 in [1, 2] {
            chip.simultaneous = limit
            var conversation = Conversation(request { $0.constellations = [.glonass] }, chip)
            let warnings = try #require(report(conversation.run())?.warnings)
            #expect(warnings.contains { $0.contains("one constellation alone") } == (limit > 1))
        }
    }

    @Test func `an M8 in ROM saves as long as its battery lasts`() {
        var requested = request { $0.rate = 2 }
        requested.saves = true
        requested.configuration.messages = .list(["RMC": 1])
        var conversation = Conversation(requested, LegacyChip())
        #expect(report(conversation.run())?.saved?.storage == .battery)
        #expect(conversation.chip.saves == 1)
    }

    @Test func `the settings of an M8 are restored if a session ends in the middle`() throws {
        let requested = request {
            $0.rate = 5
            $0.baudRate = 115_200
            $0.messages = .list(["RMC": 1])
        }
        let fresh = LegacyChip()
        var restorations = 0
        for limit in 0..<500 {
            var first = Conversation(requested, fresh)
            if first.run(outputs: limit) != nil { break }
            guard let journal = first.journal else { continue }
            var recovery = ConfigurationRequest()
            recovery.journal = journal
            var second = Conversation(recovery, first.chip)
            guard report(second.run()) != nil else { continue }
            #expect(second.chip.settings == fresh.settings, "output \(limit)")
            #expect(second.chip.intervals == fresh.intervals, "output \(limit)")
            restorations += 1
        }
        #expect(restorations > 5)
    }

    @Test func `an M8 sends GNS by the number that u-blox assigned to it`() throws {
        var chip = LegacyChip()
        let gns = UBXMessageID(0xF0, 0x0D)
        chip.intervals[gns] = 0
        let requested = request { $0.messages = .list(["RMC": 1, "GNS": 1]) }
        var conversation = Conversation(requested, chip)
        let after = try #require(report(conversation.run())?.after)
        #expect(after.configuration.messages == requested.configuration.messages)
        #expect(conversation.chip.intervals[gns] == 1)
    }

    // Makers with sentences

    private static let mediaTek = ScriptedChip([
        ("$PMTK605", ["PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"]),
        ("$PMTK414", ["PMTK514,LIST"]),
        ("$PMTK400", ["PMTK500,PERIOD,0,0,0.0,0.0"]),
        ("$PMTK220", ["PMTK001,220,3"]), ("$PMTK314", ["PMTK001,314,3"]),
        ("$PMTK353", ["PMTK001,353,2"]), ("$PMTK300", ["PMTK001,300,3"]),
    ])

    @Test func `a MediaTek chip confirms with 3, and refuses with less`() throws {
        var conversation = Conversation(request { $0.rate = 5 }, Self.mediaTek)
        let done = report(conversation.run())
        #expect(done?.before?.identity.description == "MediaTek PA6H (AXN_2.31_3339_13101700)")
        #expect(
            done?.before?.configuration.messages == .list(["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 5]))
        #expect(conversation.chip.requests.contains("$PMTK220,200"))
        conversation = Conversation(request { $0.constellations = [.gps, .beiDou] }, Self.mediaTek)
        #expect(error(conversation.run())?.code == .refused)
        #expect(conversation.chip.requests.contains("$PMTK353,1,0,0,0,1"))
    }

    @Test func `a period that is rounded to milliseconds is applied, and is not a change later`() {
        let requested = request { $0.rate = 3 }
        var conversation = Conversation(requested, Self.mediaTek)
        #expect(report(conversation.run())?.changes.map(\.description) == ["rate: 1 → 3"])
        conversation = Conversation(requested, conversation.chip)
        #expect(report(conversation.run())?.changes.isEmpty == true)
    }

    @Test func `a request that a MediaTek chip does not know causes no timeout`() {
        var chip = Self.mediaTek
        chip.script[2].answers = ["PMTK001,400,1"]
        var conversation = Conversation(ConfigurationRequest(), chip)
        let state = report(conversation.run())?.before?.configuration
        #expect(state?.rate == nil && state?.messages != nil)
        #expect(conversation.milliseconds < 2000)
    }

    @Test func `a MediaTek chip cannot save, and says why before anything is changed`() {
        var requested = request { $0.rate = 5 }
        requested.saves = true
        var conversation = Conversation(requested, Self.mediaTek)
        #expect(error(conversation.run())?.reason.contains("backup battery") == true)
        #expect(!conversation.chip.requests.contains { $0.hasPrefix("$PMTK220") })
    }

    @Test func `a change that the stream does not show is undone`() {
        var chip = Self.mediaTek
        // The receiver confirms the change, but does not change its output.
        chip.obeysRates = false
        chip.script.removeAll { $0.request == "$PMTK400" }
        let requested = request {
            $0.rate = 5
            $0.messages = .list(["RMC": 1, "GGA": 1])
        }
        var conversation = Conversation(requested, chip)
        let failure = error(conversation.run())
        #expect(failure?.code == .notApplied)
        #expect(failure?.reason == "still sends 1.0 fixes per second")
        #expect(
            conversation.chip.requests.last { $0.hasPrefix("$PMTK314") }
                == "$PMTK314,0,1,0,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0")
    }

    @Test func `a change that cannot be undone is not reported as undone`() {
        var chip = Self.mediaTek
        chip.obeysRates = false
        chip.script.removeAll { $0.request == "$PMTK400" }
        for messages in [nil, MessageSelection.list(["RMC": 1, "GGA": 1])] {
            let requested = request {
                $0.rate = 5
                $0.messages = messages
            }
            var conversation = Conversation(requested, chip)
            guard case .failed(let error, .partlyRestored)? = conversation.run() else {
                Issue.record("reported as undone")
                continue
            }
            #expect(error.code == .notApplied)
        }
    }

    @Test func `an Airoha chip is recognised and set by PAIR`() {
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
            ("$PAIR050", ["PAIR001,050,0"]), ("$PAIR062", ["PAIR001,062,0"]),
        ])
        let requested = request {
            $0.rate = 5
            $0.messages = .list(["RMC": 1])
        }
        var conversation = Conversation(requested, chip)
        #expect(report(conversation.run())?.before?.identity.family == .airoha)
        #expect(conversation.chip.requests.contains("$PAIR050,200"))
        // The receiver sent GGA, which is number 0, and RMC, which remains enabled.
        #expect(conversation.chip.requests.filter { $0.hasPrefix("$PAIR062") } == ["$PAIR062,0,0"])
    }

    @Test func `an Airoha chip that is still working on a command has not refused it`() {
        let chip = ScriptedChip([
            ("$PAIR020", ["PAIR001,020,0", "PAIR020,AG3335M_V2.5.0,S,N"]),
            ("$PAIR051", ["PAIR001,051,0", "PAIR051,PERIOD"]),
            ("$PAIR050", ["PAIR001,050,1", "PAIR001,050,0"]),
            ("$PAIR513", ["PAIR001,513,1", "PAIR001,513,2"]),
        ])
        var requested = request { $0.rate = 5 }
        var conversation = Conversation(requested, chip)
        #expect(report(conversation.run())?.after?.configuration.rate == 5)
        requested.saves = true
        conversation = Conversation(requested, chip)
        #expect(error(conversation.run())?.code == .refused)
    }

    @Test(arguments: [true, false])
    func `a V6 chip of CASIC has the same identity whichever answer comes first`(
        _ isModelFirst: Bool
    ) {
        let request = ConfigurationRequest()
        var session = ConfigurationSession(request, line: ConfigurationLine(baudRate: 115_200))
        let now = MonotonicInstant.now
        while session.next(at: now) != nil {}
        func text(_ text: String) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
        }
        let model = CASICFrame.bytes(
            CASICFrame.version, payload: text("SW=URANUS6,V6.3.2.0") + text("AT9880-F8N"))
        let version = sentence("GPTXT,01,01,02,SW=URANUS6,V6.3.2.0")
        for answer in isModelFirst ? [model, version] : [version, model] {
            session.receive(answer, at: now)
        }
        guard case .progress(.identified(let identity))? = session.next(at: now) else {
            Issue.record("not identified")
            return
        }
        #expect(identity.description == "CASIC AT9880-F8N (URANUS6,V6.3.2.0)")
    }

    @Test func `the version of a CASIC chip is not one of its periodic messages`() {
        let chip = ScriptedChip([("$PCAS06,0", ["GPTXT,01,01,02,SW=URANUS5,V5.3.0.0"])])
        var conversation = Conversation(ConfigurationRequest(), chip)
        let state = report(conversation.run())?.before
        #expect(state?.identity.family == .casic)
        #expect(state?.configuration.messages == .list(["RMC": 1, "GGA": 1]))
    }

    @Test func `a Quectel module refuses with ERROR, and has no command for the rest`() {
        let chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01"]),
            ("$PQTMCFGELETHD,R", ["PQTMCFGELETHD,OK,5.0"]),
            ("$PQTMCFGELETHD,W,10.0", ["PQTMCFGELETHD,ERROR,1"]),
        ])
        var conversation = Conversation(request { $0.minimumElevation = 10 }, chip)
        #expect(error(conversation.run())?.reason == "refused to set elevation")
        conversation = Conversation(request { $0.dynamics = .sea }, chip)
        #expect(error(conversation.run())?.code == .unsupported)
    }

    @Test(arguments: ["nan", "inf", "1e300", "-1e300", "1e-17", "1e-300"])
    func `a value that is not a possible number does not stop the configuration`(value: String) {
        var chip = Self.mediaTek
        chip.script[2].answers = ["PMTK500,\(value),0,0,0.0,0.0"]
        chip.obeysRates = false
        var conversation = Conversation(request { $0.rate = 5 }, chip)
        #expect(conversation.run() != nil)
        conversation = Conversation(request { $0.messages = .list(["GGA": 1]) }, chip)
        #expect(conversation.run() != nil)
        chip = ScriptedChip([
            ("$PQTMVERNO", ["PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01"]),
            ("$PQTMCFGELETHD,R", ["PQTMCFGELETHD,OK,\(value)"]),
            ("$PQTMCFGFIXRATE,R", ["PQTMCFGFIXRATE,OK,\(value)"]),
        ])
        conversation = Conversation(ConfigurationRequest(), chip)
        let before = report(conversation.run())?.before?.configuration
        #expect((before?.minimumElevation ?? 0) == 0)
    }

    @Test func `a rate below a chip's lowest rate is refused, and the error names the lowest rate`()
    {
        var conversation = Conversation(request { $0.rate = 0.05 }, Self.mediaTek)
        #expect(
            error(conversation.run())?.reason
                == "0.05 fixes per second are not possible: use at least 0.1")
        var older = Conversation(request { $0.rate = 0.01 }, LegacyChip())
        #expect(
            error(older.run())?.reason
                == "0.01 fixes per second are not possible: use at least 0.016")
        #expect(older.chip.changes.isEmpty)
        var newer = Conversation(request { $0.rate = 0.01 }, DatabaseChip())
        #expect(
            error(newer.run())?.reason
                == "0.01 fixes per second are not possible: use at least 0.016")
        #expect(!newer.chip.requests.contains(CfgVALSET.id))
    }

    @Test func `a MediaTek chip sends each sentence at least every fifth time`() {
        var conversation = Conversation(request { $0.messages = .list(["GSV": 6]) }, Self.mediaTek)
        #expect(error(conversation.run())?.code == .unsupported)
    }

    @Test func `a receiver that answers nothing is an error, but takes messages of a file`() throws
    {
        var conversation = Conversation(request { $0.rate = 2 }, ScriptedChip([]))
        #expect(error(conversation.run())?.code == .noAnswer)
        var requested = ConfigurationRequest()
        requested.messages = try DescribedMessage.messages(
            in: """
                # ST's Teseo
                nmea PSTMSETPAR,1303,0.1
                nmea PSTMSAVEPAR -> $PSTMSAVEPAROK
                """)
        let chip = ScriptedChip([
            ("$PSTMSETPAR", ["PSTMSETPAROK,1303"]),
            ("$PSTMSAVEPAR", ["PSTMSAVEPAROK"]),
        ])
        conversation = Conversation(requested, chip)
        #expect(
            report(conversation.run())?.answers == ["$PSTMSETPAROK,1303", "$PSTMSAVEPAROK"])
    }

    @Test(arguments: [
        ("nmea", "line 1, column 6: invalid content for 'nmea'"),
        ("nmea $PMTK220,200*2D", "the checksum is wrong: the right one is 2C"),
        ("nmea PMTK220,200*", "the checksum is wrong: the right one is 2C"),
        ("# x\nubx 06 0", "line 2, column 5: invalid content for 'ubx'"),
        ("send 06", "line 1, column 1: not a kind of message: 'send'"),
        ("ubx 09 01", "line 1: 09-01 changes the firmware"),
        ("ubx 06 41 00", "writes one-time programmable memory"),
        ("ubx 21 03", "erases the receiver's log"),
        ("ubx 06 8A 00 04 00 00 09 00 F6 10 01", "CFG-SEC-CFG_LOCK locks the configuration"),
        ("hex B5 62 09 01 00 00 0A 27", "changes the firmware"),
        ("hex B5 62 0A 04 00 00 0E 34 B5 62 09 01 00 00 0A 27", "changes the firmware"),
        ("hex 00 B5 B5 62 09 01 00 00 0A 27", "changes the firmware"),
        ("ubx 06 8A 00 04 00 00 09 00 F6 10 01 00", "its keys cannot be checked"),
    ])
    func `a file with what must never be sent, or cannot be read, is refused`(
        _ text: String, _ message: String
    ) {
        #expect {
            try DescribedMessage.messages(in: text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }
}
