// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// A UM980 with its factory settings, with which it sends only answers.
private struct QuietChip: ModelChip {
    let baudRate = 115_200
    private(set) var elevation = "5.0"
    private(set) var savedElevation = "5.0"
    /// The type of the product in the version.
    var type: UInt8 = 18
    /// The answer to a new elevation, which the chip then does not set.
    var refusal: String?
    /// The masks besides that of the elevation.
    var masks: [String] = []

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let line = String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self)
        var answers: [[UInt8]] = []
        switch line {
        case "VERSIONB": answers = [version]
        case "MASK": answers = ([elevation] + masks).map { sentence("CONFIG,MASK,MASK \($0)") }
        case "CONFIG": answers = [sentence("CONFIG,COM1,CONFIG COM1 115200")]
        case _ where line.hasPrefix("MASK "):
            if let refusal { return [(40, sentence(refusal))] }
            elevation = String(line.dropFirst(5))
        case "gpgga com9 1":
            let reason = "PARSING FAILD NO MATCHING FUNC  GPGGA"
            return [(40, sentence("command,\(line),response: \(reason)"))]
        case "mode rover": break
        case "SAVECONFIG": savedElevation = elevation
        default: return []
        }
        return ([sentence("command,\(line),response: OK")] + answers).map { (40, $0) }
    }

    mutating func output(tenth: Int) -> [UInt8] { [] }

    /// The version in Unicore's binary format.
    private var version: [UInt8] {
        var frame: [UInt8] = [0xAA, 0x44, 0xB5, 0, 0x25, 0, 64, 0]
        frame += [UInt8](repeating: 0, count: 16)
        frame += [type, 0, 0, 0]
        frame += Array("R4.10Build17548".utf8)
        frame += [UInt8](repeating: 0, count: 24 + 64 - frame.count)
        var crc: UInt32 = 0
        for byte in frame {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        frame += (0..<4).map { UInt8(truncatingIfNeeded: crc >> UInt32($0 * 8)) }
        return frame
    }
}

@Suite(.timeLimit(.generous))
struct UnicoreTests {
    @Test func `a UM980 that sends nothing by itself is configured`() throws {
        let request = DatabaseTests.request { $0.minimumElevation = 10 }
        var conversation = Conversation(request, QuietChip())
        let report = try conversation.report()
        #expect(report.before?.configuration.minimumElevation == 5)
        #expect(report.after?.configuration.minimumElevation == 10)
        #expect(conversation.chip.elevation == "10")
    }

    @Test func `the settings of a UM98x are saved after they have been set`() throws {
        var request = DatabaseTests.request { $0.minimumElevation = 10 }
        request.saves = true
        var conversation = Conversation(request, QuietChip())
        let report = try conversation.report()
        #expect(report.saved?.storage == .flash)
        #expect(conversation.chip.savedElevation == "10")
    }

    @Test func `masks of one satellite or of one constellation's elevation are ignored`() throws {
        var chip = QuietChip()
        chip.masks = ["GLO", "GPS PRN 10", "15 BDS"]
        var conversation = Conversation(ConfigurationRequest(), chip)
        let report = try conversation.report()
        #expect(report.before?.configuration.constellations == [.gps, .galileo, .beiDou, .qzss])
        #expect(report.before?.configuration.minimumElevation == 5)
    }

    @Test(arguments: [(17, "UM982"), (18, "UM980"), (19, "UM960"), (99, "UM98x (type 99)")])
    func `the type of the product names the model`(_ type: UInt8, _ model: String) throws {
        var chip = QuietChip()
        chip.type = type
        var conversation = Conversation(ConfigurationRequest(), chip)
        let report = try conversation.report()
        #expect(report.before?.identity.model == model)
    }

    @Test(
        arguments: [
            "command,MASK 10,response: PARSING FAILD NO MATCHING FUNC  MASK",
            "command,MASK 10,response: not support",
            "command,response: PARSING FAILD NO MATCHING FUNC MASK 10",
        ])
    func `a request that a UM98x refuses is not unanswered`(_ refusal: String) {
        var chip = QuietChip()
        chip.refusal = refusal
        var conversation = Conversation(DatabaseTests.request { $0.minimumElevation = 10 }, chip)
        guard case .failed(let error, _)? = conversation.run() else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .refused)
    }

    @Test(arguments: [("mode rover", true), ("gpgga com9 1", false)])
    func `the answer to a command in lower case is awaited`(_ command: String, _ isAccepted: Bool) {
        var request = ConfigurationRequest()
        request.messages = [DescribedMessage(Array("\(command)\r\n".utf8), text: command)]
        var conversation = Conversation(request, QuietChip())
        switch conversation.run() {
        case .done(let report)?:
            #expect(isAccepted && report.answers == ["$command,\(command),response: OK"])
        case .failed(let error, _)?: #expect(!isAccepted && error.code == .refused)
        case nil: Issue.record("not finished")
        }
    }
}

@Suite(.timeLimit(.generous))
struct PortTests {
    @Test func `a repeated request for the received bytes also shows the port`() throws {
        var chip = DatabaseChip(port: .uart2)
        chip.answersPorts = false
        // The first answer arrives after the request was repeated, which the next answer counts.
        chip.late = [3: 1600, 4: 300]
        var conversation = Conversation(ConfigurationRequest(), chip)
        let report = try conversation.report()
        #expect(conversation.chip.requests[3...5] == [MonCOMMS.id, MonCOMMS.id, MonCOMMS.id])
        #expect(report.before?.port == "UART2")
    }
}

@Suite(.timeLimit(.generous))
struct BaudRateTests {
    @Test func `a baud rate that is refused is reported as refused, and the line keeps its own`() {
        var chip = DatabaseChip()
        chip.refusesRates = true
        let request = DatabaseTests.request { $0.baudRate = 115_200 }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .restored)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .refused)
        #expect(conversation.hostRate == 38400 && conversation.journal == nil)
        #expect(conversation.milliseconds < 2000)
    }

    @Test func `a refused baud rate changes nothing, even if the previous one is unknown`() throws {
        var chip = DatabaseChip()
        chip.refusesRates = true
        let key = try #require(ConfigurationKey.baudRate(of: .uart1))
        chip.unreadable = [key]
        let request = DatabaseTests.request { $0.baudRate = 115_200 }
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused, or reported as changed")
            return
        }
        #expect(error.code == .refused)
    }

    @Test(arguments: [
        (123_456, "use --baud 115200 or --baud 230400"), (2400, "use --baud 4800"),
        (2_000_000, "use --baud 921600"),
    ])
    func `a baud rate at which the receiver would not be found again is refused`(
        baudRate: Int, remedy: String
    ) {
        let request = DatabaseTests.request { $0.baudRate = baudRate }
        var conversation = Conversation(request, DatabaseChip())
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .unsupported && error.remedy == remedy, "\(error)")
    }

    @Test func `an uncommon baud rate that the receiver already has is not refused`() throws {
        let request = DatabaseTests.request { $0.baudRate = 250_000 }
        var conversation = Conversation(request, DatabaseChip(baudRate: 250_000))
        try conversation.report()
    }
}

/// An AT6558 that reports two ports: the second one first, as recorded.
private struct TwoPortChip: ModelChip {
    let baudRate: Int

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        if bytes.starts(with: "$PCAS06,0".utf8) {
            return [(30, sentence("GPTXT,01,01,02,SW=URANUS5,V5.3.0.0"))]
        }
        guard bytes == CASICFrame.bytes(CASICFrame.port, payload: []) else { return [] }
        let ports: [[UInt8]] = [
            [1, 0x07, 0xC0, 0x08, 0x00, 0xC2, 0x01, 0x00],
            [0, 0xFF, 0xC0, 0x08, 0x80, 0x25, 0x00, 0x00],
        ]
        let answers = ports.map { CASICFrame.bytes(CASICFrame.port, payload: $0) }
        let acceptance = CASICFrame.bytes(UBXMessageID(0x05, 0x01), payload: [0x06, 0x00])
        return (answers + [acceptance]).map { (30, $0) }
    }

    mutating func output(tenth: Int) -> [UInt8] {
        tenth.isMultiple(of: 10) ? sentence("GNRMC,\(120_000 + tenth % 600 / 10),V") : []
    }
}

/// The port of a chip that reports several.
@Suite(.timeLimit(.generous))
struct ConnectedPortTests {
    @Test(arguments: [(9600, "UART0", 9600), (115_200, "UART1", 115_200), (38_400, "UART0", 9600)])
    func `the connected port of a CASIC chip is one with the line's baud rate, or else the first`(
        _ lineRate: Int, _ port: String, _ baudRate: Int
    ) throws {
        var conversation = Conversation(
            ConfigurationRequest(), TwoPortChip(baudRate: lineRate))
        let report = try conversation.report()
        #expect(report.before?.port == port)
        #expect(report.before?.configuration.baudRate == baudRate)
    }
}
