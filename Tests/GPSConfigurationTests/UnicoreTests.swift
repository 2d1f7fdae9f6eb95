// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

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
