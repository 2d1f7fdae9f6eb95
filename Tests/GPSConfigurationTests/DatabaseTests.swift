// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct DatabaseTests {
    static func request(_ change: (inout ReceiverConfiguration) -> Void) -> ConfigurationRequest {
        var request = ConfigurationRequest()
        change(&request.configuration)
        return request
    }

    @Test func `the state is read without writing a setting`() throws {
        var conversation = Conversation(ConfigurationRequest(), DatabaseChip())
        let report = try conversation.report()
        let state = try #require(report.before)
        #expect(state.identity.description == "u-blox ZED-F9P (HPG 1.51)")
        #expect(state.port == "UART1")
        #expect(state.configuration.rate == 1)
        #expect(state.configuration.baudRate == 38400)
        #expect(state.configuration.constellations?.contains(.galileo) == true)
        #expect(
            state.configuration.messages
                == .list(["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 1, "VTG": 1]))
        #expect(state.configuration.autonomousAssistance == nil)
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
        #expect(conversation.journal == nil)
    }

    @Test func `ten fixes per second on a faster line are set, verified and counted in the stream`()
        throws
    {
        let request = Self.request {
            $0.rate = 10
            $0.baudRate = 230_400
        }
        var conversation = Conversation(request, DatabaseChip())
        let report = try conversation.report()
        #expect(report.changes.map(\.name) == ["rate", "baud"])
        #expect(report.after?.configuration.rate == 10)
        #expect(abs((report.measuredRate ?? 0) - 10) < 0.5)
        #expect(conversation.hostRate == 230_400)
        #expect(conversation.chip.baudRate == 230_400)
        #expect(conversation.journal == nil)
        #expect(conversation.chip.saved.isEmpty)
    }

    @Test func `a rate that the line cannot carry is refused with the arithmetic`() {
        var conversation = Conversation(Self.request { $0.rate = 10 }, DatabaseChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .lineTooSlow)
        #expect(
            error.description == """
                u-blox ZED-F9P (HPG 1.51): 1301 bytes per fix × 10 Hz × 10 bits = 130100 bit/s, \
                more than 80 % of 38400 baud; use --baud 230400, or fewer messages
                """)
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test(arguments: [false, true])
    func `a rate that a faster line cannot carry either is refused, although the line is full`(
        _ isDryRun: Bool
    ) {
        var request = Self.request {
            $0.rate = 10
            $0.baudRate = 115_200
        }
        request.isDryRun = isDryRun
        var conversation = Conversation(request, DatabaseChip(baudRate: 9600))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .lineTooSlow)
        #expect(error.reason.hasSuffix("more than 80 % of 115200 baud"))
        #expect(error.remedy == "use --baud 230400, or fewer messages")
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test func `messages that are larger than the estimate are measured in the stream`() throws {
        let request = Self.request { $0.rate = 10 }
        var chip = DatabaseChip(baudRate: 230_400)
        chip.satelliteSentences = 100  // two bands: two lists per constellation
        chip.values[.measurementPeriod] = 200
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .lineTooSlow)
        #expect(error.remedy == "use --baud 460800, or fewer messages")
        // Slower changes are made before the stream shows the size, and give a warning.
        chip.values[.measurementPeriod] = 1000
        conversation = Conversation(request, chip)
        let warning = try #require(try conversation.report().warnings.first)
        #expect(warning.hasPrefix("messages may be lost: "))
        #expect(warning.hasSuffix(" bit/s, more than 80 % of 230400 baud"))
    }

    @Test func `native USB needs no baud rate, and refuses one`() throws {
        var conversation = Conversation(
            Self.request { $0.rate = 10 }, DatabaseChip(port: .usb), isNativeUSB: true)
        #expect(try conversation.report().before?.port == "USB")
        conversation = Conversation(
            Self.request { $0.baudRate = 9600 }, DatabaseChip(port: .usb), isNativeUSB: true)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "this connection has no baud rate")
    }

    @Test func `a setting that already has the requested value is not sent`() throws {
        let request = Self.request {
            $0.rate = 1
            $0.messages = .nmea
        }
        var conversation = Conversation(request, DatabaseChip())
        #expect(try conversation.report().changes.isEmpty)
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test func `a rate that results from every fifth measurement is not a change`() throws {
        var chip = DatabaseChip()
        chip.values[.measurementPeriod] = 200
        chip.values[.navigationRatio] = 5
        var request = Self.request { $0.rate = 1 }
        request.saves = true
        var conversation = Conversation(request, chip)
        #expect(try conversation.report().changes.isEmpty)
        #expect(conversation.chip.saved == [.measurementPeriod: 200, .navigationRatio: 5])
    }

    @Test func `a requested setting that rounds to the current one is not a change`() throws {
        let request = Self.request {
            $0.rate = 7
            $0.constellations = [.gps, .galileo]
            $0.messages = .list(["RMC": 1, "GGA": 1])
        }
        var conversation = Conversation(request, DatabaseChip())
        #expect(try conversation.report().changes.count == 3)
        var chip = DatabaseChip()
        chip.values = conversation.chip.values
        conversation = Conversation(request, chip)
        #expect(try conversation.report().changes.isEmpty)
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test func `few requests read the message rates of a chip that lacks messages`() throws {
        var chip = DatabaseChip()
        let lacking = [
            NavHPPOSLLH.id, NavSVIN.id, NavRELPOSNED.id, NavPVAT.id, RxmRTCM.id, RxmRAWX.id,
        ]
        for output in lacking.compactMap({ MessageOutput.output($0) }) {
            chip.values[output.key(on: .uart1)] = nil
        }
        var conversation = Conversation(ConfigurationRequest(), chip)
        let state = try conversation.report().before?.configuration
        #expect(state?.messages == .list(["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 1, "VTG": 1]))
        #expect(conversation.chip.requests.filter { $0 == CfgVALGET.id }.count < 20)
    }

    @Test func `after a change, only its keys are read again`() throws {
        let request = Self.request { $0.minimumElevation = 10 }
        var conversation = Conversation(request, DatabaseChip())
        let after = try #require(try conversation.report().after?.configuration)
        #expect(after.minimumElevation == 10 && after.rate == 1 && after.baudRate == 38400)
        #expect(after.messages == .list(["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 1, "VTG": 1]))
        let requests = conversation.chip.requests
        let change = try #require(requests.firstIndex(of: CfgVALSET.id))
        #expect(requests[change...] == [CfgVALSET.id, CfgVALGET.id])
    }

    @Test func `an optional key that the firmware does not know is refused before any change`() {
        let request = Self.request {
            $0.rate = 2
            $0.autonomousAssistance = true
        }
        var conversation = Conversation(request, DatabaseChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason.contains("CFG-ANA-USE_ANA"))
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test func `messages are set at the active port alone`() throws {
        var conversation = Conversation(
            Self.request { $0.messages = .ubx }, DatabaseChip(port: .uart2))
        let report = try conversation.report()
        #expect(
            report.after?.configuration.messages
                == .list(["NAV-PVT": 1, "NAV-SAT": 1, "NAV-DOP": 1, "NAV-EOE": 1]))
        let rmc = try #require(MessageOutput.output(UBXMessageID(0xF0, 0x04)))
        #expect(conversation.chip.values[rmc.key(on: .uart1)] == 1)
        #expect(conversation.chip.values[rmc.key(on: .uart2)] == 0)
    }

    @Test func `a chip that does not report its port is found by its received bytes`() throws {
        var chip = DatabaseChip(port: .uart2)
        chip.answersPorts = false
        var conversation = Conversation(ConfigurationRequest(), chip)
        #expect(try conversation.report().before?.port == "UART2")
    }

    @Test func `the constellations in effect are not a change, with or without QZSS`() throws {
        var chip = DatabaseChip()
        let qzss = try #require(SignalKey.constellations.first { $0.name == "QZSS" }).key
        chip.values[qzss] = 0
        var conversation = Conversation(ConfigurationRequest(), chip)
        let current = try conversation.report().before?.configuration.constellations
        #expect(current?.contains(.gps) == true && current?.contains(.qzss) == false)
        conversation = Conversation(Self.request { $0.constellations = current }, chip)
        #expect(try conversation.report().changes.isEmpty)
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
        var older = LegacyChip()
        older.supported = 0x0F
        var gnss = try #require(older.settings[CfgGNSS.id].flatMap { CfgGNSS(payload: $0.span) })
        gnss.blocks = gnss.blocks.map {
            var block = $0
            if block.gnssID == 5 { block.isEnabled = false }
            return block
        }
        older.settings[CfgGNSS.id] = gnss.payload
        let request = Self.request { $0.constellations = [.gps, .sbas, .glonass] }
        var second = Conversation(request, older)
        #expect(try second.report().changes.isEmpty)
        #expect(second.chip.changes.isEmpty)
    }

    @Test func `one constellation alone is a warning`() throws {
        var conversation = Conversation(
            Self.request { $0.constellations = [.gps] }, DatabaseChip())
        let report = try conversation.report()
        #expect(report.warnings.contains { $0.contains("spoofing") })
        // QZSS shares the signals of GPS.
        #expect(report.after?.configuration.constellations == [.gps, .qzss])
    }

    @Test func `settings are written to flash only on request, and only the requested ones`() throws
    {
        var request = Self.request { $0.rate = 2 }
        request.saves = true
        var conversation = Conversation(request, DatabaseChip())
        #expect(try conversation.report().saved?.storage == .flash)
        #expect(conversation.chip.saved == [.measurementPeriod: 500, .navigationRatio: 1])
    }

    @Test func `a module without flash saves as long as its battery lasts`() throws {
        var request = Self.request { $0.rate = 2 }
        request.saves = true
        var chip = DatabaseChip()
        chip.hasFlash = false
        var conversation = Conversation(request, chip)
        let saved = try #require(try conversation.report().saved)
        #expect(saved.storage == .battery)
        #expect(saved.explanation.contains("no flash"))
    }

    @Test func `lost answers to the request to save do not make a module one without flash`() {
        var request = Self.request { $0.rate = 2 }
        var conversation = Conversation(request, DatabaseChip())
        _ = conversation.run()
        let count = conversation.chip.requests.count
        request.saves = true
        var chip = DatabaseChip()
        chip.lost = Set(count..<count + 3)
        conversation = Conversation(request, chip)
        guard case .failed(let error, .kept)? = conversation.run() else {
            Issue.record("reported as saved")
            return
        }
        #expect(error.code == .noAnswer)
        #expect(conversation.chip.values[.measurementPeriod] == 500)
    }

    @Test func `a dry run has the differences and changes nothing`() throws {
        var request = Self.request { $0.rate = 2 }
        request.isDryRun = true
        var conversation = Conversation(request, DatabaseChip())
        #expect(try conversation.report().changes.map(\.description) == ["rate: 1 → 2"])
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test(arguments: 0..<40)
    func `a request is repeated if its answer is lost`(_ number: Int) throws {
        var chip = DatabaseChip()
        chip.lost = [number]
        let request = Self.request {
            $0.rate = 5
            $0.baudRate = 115_200
        }
        var conversation = Conversation(request, chip)
        #expect(try conversation.report().after?.configuration.rate == 5)
    }

    @Test func `answers to another program's requests are not used by the session`() throws {
        var other = CfgVALGET()
        (other.version, other.data) = (1, ConfigurationItem(.fixMode, 3).bytes)
        var chip = DatabaseChip()
        chip.otherAnswer = other.frame
        var alone = Conversation(ConfigurationRequest(), DatabaseChip())
        var shared = Conversation(ConfigurationRequest(), chip)
        let (expected, state) = (try alone.report().before, try shared.report().before)
        #expect(state == expected)
    }

    @Test func `a setting whose request is not answered is not called unsupported`() {
        let requests = [
            Self.request { $0.messages = .list(["RMC": 1]) },
            Self.request { $0.constellations = [.gps, .galileo] },
            Self.request { $0.staticHoldSpeed = 1 },
        ]
        for request in requests {
            var chip = DatabaseChip()
            chip.answersValues = false
            var conversation = Conversation(request, chip)
            guard case .failed(let error, .unchanged)? = conversation.run() else {
                Issue.record("not an error")
                continue
            }
            #expect(error.code == .noAnswer)
            #expect(!conversation.chip.requests.contains(CfgVALSET.id))
        }
    }

    @Test(arguments: 0..<40)
    func `a late answer is not used as the answer to a later request`(_ number: Int) throws {
        var chip = DatabaseChip()
        chip.late = [number: 1700]
        let request = Self.request {
            $0.rate = 5
            $0.baudRate = 115_200
        }
        var conversation = Conversation(request, chip)
        #expect(try conversation.report().after?.configuration.rate == 5)
    }

    @Test(arguments: [false, true])
    func `a change that silences the receiver is undone, also on a slow line`(isSlow: Bool) {
        var chip = isSlow ? DatabaseChip(baudRate: 9600) : DatabaseChip()
        // Each answer waits for the output of an epoch.
        if isSlow { chip.late = Dictionary(uniqueKeysWithValues: (0..<400).map { ($0, 1500) }) }
        chip.isSilencedBySignals = true
        let before = chip.values
        var conversation = Conversation(Self.request { $0.constellations = [.galileo] }, chip)
        guard case .failed(let error, .restored)? = conversation.run() else {
            Issue.record("not restored")
            return
        }
        #expect(error.code == .silenced)
        #expect(conversation.chip.values == before)
        #expect(conversation.journal == nil)
    }

    @Test func `a factory reset that is refused is an error, and nothing is written`() {
        var request = ConfigurationRequest()
        request.resetsToFactory = true
        var chip = DatabaseChip()
        chip.refusesReset = true
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("reported as reset")
            return
        }
        #expect(error.code == .refused)
        #expect(conversation.journal == nil)
        #expect(!conversation.chip.requests.contains(CfgVALSET.id))
    }

    @Test(arguments: [ConfigurationKey.minimumElevation, ConfigurationKey(0x4052_0001)])
    func `a change whose previous values are only partly known is not reported as undone`(
        _ unknown: ConfigurationKey
    ) {
        var chip = DatabaseChip()
        chip.isSilencedBySignals = true
        chip.unreadable = [unknown]
        let request = Self.request {
            $0.constellations = [.galileo]
            $0.rate = 2
            $0.minimumElevation = 10
            $0.baudRate = 115_200
        }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .partlyRestored)? = conversation.run() else {
            Issue.record("reported as undone")
            return
        }
        #expect(error.code == .silenced)
        #expect(conversation.chip.values[.measurementPeriod] == 1000)
    }

    @Test func `a factory reset is followed to the rate of the factory`() throws {
        var request = ConfigurationRequest()
        request.resetsToFactory = true
        var conversation = Conversation(request, DatabaseChip(baudRate: 115_200))
        let report = try conversation.report()
        #expect(conversation.hostRate == 9600)
        #expect(report.after?.configuration.baudRate == 9600)
        #expect(report.before?.configuration.baudRate == 115_200)
        #expect(!conversation.progress.contains(.changes([])))
    }
}

/// The signals that a wanted constellation needs, on chips with the configuration database.
@Suite(.timeLimit(.generous))
struct SignalTests {
    private static let keys = Dictionary(
        uniqueKeysWithValues: (SignalKey.constellations + SignalKey.signals).map {
            ($0.name, $0.key)
        })

    private func key(_ name: String) throws -> ConfigurationKey {
        try #require(Self.keys[name])
    }

    private func values(of chip: DatabaseChip, _ names: [String]) throws -> [UInt64?] {
        try names.map { chip.values[try key($0)] }
    }

    @Test func `an M10 gets BeiDou's B1C instead of B1I when GLONASS is added`() throws {
        var chip = DatabaseChip()
        chip.hasFlash = false
        for name in ["GLO", "BDS_B1C"] { chip.values[try key(name)] = 0 }
        let request = DatabaseTests.request {
            $0.constellations = [.gps, .galileo, .beiDou, .glonass]
        }
        var conversation = Conversation(request, chip)
        try conversation.report()
        let names = ["BDS", "GLO", "BDS_B1", "BDS_B1C"]
        #expect(try values(of: conversation.chip, names) == [1, 1, 0, 1])
        // Both are set with one request, as the chip refuses every state in between.
        #expect(conversation.chip.requests.filter { $0 == CfgVALSET.id }.count == 1)
    }

    @Test func `an M10 whose other constellations change gets B1C, and B1I stays without a change`()
        throws
    {
        var chip = DatabaseChip()
        chip.hasFlash = false
        chip.values[try key("BDS_B1C")] = 0
        let all: Set<Constellation> = [.gps, .sbas, .galileo, .beiDou, .qzss, .glonass]
        let cases: [(Set<Constellation>, [UInt64?])] = [
            (all, [1, 0]), (all.subtracting([.galileo]), [0, 1]),
        ]
        for (wanted, expected) in cases {
            var conversation = Conversation(
                DatabaseTests.request { $0.constellations = wanted }, chip)
            guard case .done? = conversation.run() else {
                Issue.record("not done")
                continue
            }
            #expect(try values(of: conversation.chip, ["BDS_B1", "BDS_B1C"]) == expected)
        }
    }

    @Test func `a chip with another front end keeps B1I beside GLONASS`() throws {
        var chip = DatabaseChip()
        for name in ["GLO", "BDS_B1C"] { chip.values[try key(name)] = 0 }
        let request = DatabaseTests.request { $0.constellations = [.gps, .beiDou, .glonass] }
        var conversation = Conversation(request, chip)
        try conversation.report()
        #expect(try values(of: conversation.chip, ["BDS_B1", "BDS_B1C"]) == [1, 0])
    }

    @Test func `a constellation without an enabled signal gets those that are on by default`()
        throws
    {
        var chip = DatabaseChip()
        let names = ["BDS_B1", "BDS_B1C", "BDS_B2", "BDS_B2A", "BDS_B3"]
        for name in names + ["BDS"] { chip.values[try key(name)] = 0 }
        var defaults = chip.values
        for name in ["BDS_B1C", "BDS_B2A"] { defaults[try key(name)] = 1 }
        chip.defaults = defaults
        let request = DatabaseTests.request { $0.constellations = [.gps, .beiDou] }
        var conversation = Conversation(request, chip)
        try conversation.report()
        #expect(try values(of: conversation.chip, names) == [0, 1, 0, 1, 0])
        #expect(try values(of: conversation.chip, ["BDS"]) == [1])
    }
}
