// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// The requests of recorded sessions are sent to simulated receivers, which must give the same answers.
@Suite(
    .timeLimit(.generous),
    .enabled(if: !RecordedSession.all.isEmpty, "no recorded sessions beside the package"))
struct SessionReplayTests {
    /// The simulated receiver of a session, and what may differ from the real one.
    struct Replay: Sendable {
        var personality: Personality
        var baudRate: Int?
        var rate = 1.0
        /// Messages of which only the kind is compared: texts of a firmware, times, values that
        /// another program had set.
        var kinds: Set<String> = ["MON-VER"]
        /// Keys that the real chip has and the simulated one does not, or the other way round.
        var otherKeys: Set<UInt32> = []
        /// Answers that are not compared: damaged or lost on the real line, or not simulated.
        var leftOut: Set<String> = []
    }

    private static let replays: [String: Replay] = [
        // Both ask for MON-VER and the position of the chip's own port.
        "m8-baud": Replay(personality: .ublox8, baudRate: 9600),
        // The real chip is a MAX-8C, which lacks Galileo.
        "m8-gnss": Replay(
            personality: .ublox8, baudRate: 9600, kinds: ["MON-VER", "MON-GNSS"]),
        "m101-valget": Replay(personality: .ublox10, baudRate: 38_400),
        // It has no request.
        "m101-wrong-baud": Replay(personality: .ublox10, baudRate: 38_400),
        "f9p-gnss-restart": Replay(personality: .f9p),
        "f9p-reload": Replay(personality: .f9p),
        // HPG 1.12 has no SBAS.
        "f9p-signals-nak": Replay(
            personality: .f9p, otherKeys: [0x1031_0005, 0x1031_0014, 0x1031_0020]),
        "f9p-valset-timepulse": Replay(personality: .f9p),
        "x20p-gnss-restart": Replay(personality: .x20p, leftOut: ["MON-GNSS"]),
        "x20p-valset-minelev": Replay(personality: .x20p),
        // Before the last run, another program had set 9600 baud again.
        "casic-5n31-baud": Replay(personality: .l76, baudRate: 9600, kinds: ["CFG-PRT"]),
        // This receiver does not answer PCAS06,1.
        "casic-5n71-ask": Replay(personality: .l76, baudRate: 115_200, leftOut: ["HW="]),
        "casic-f8n-config": Replay(personality: .at9880, baudRate: 115_200),
        "lg290p-baud": Replay(personality: .lg290p, baudRate: 460_800, rate: 10),
        "lg290p-survey-save-restart": Replay(personality: .lg290p, baudRate: 460_800),
        "um980-config-pps": Replay(
            personality: .um980, baudRate: 115_200, kinds: ["VERSION", "MODE"]),
        "um980-mask-signals": Replay(personality: .um980, baudRate: 115_200),
        // The receiver was still starting.
        "um980-no-answer": Replay(
            personality: .um980, baudRate: 115_200, leftOut: ["command", "VERSION"]),
    ]

    @Test func `every session has a simulated receiver`() {
        #expect(RecordedSession.all.map(\.name).filter { Self.replays[$0] == nil } == [])
    }

    @Test(arguments: replays.keys.sorted())
    func `the same requests give the same answers`(_ name: String) throws {
        let replay = try #require(Self.replays[name])
        let session = try #require(RecordedSession.all.first { $0.name == name })
        var configuration = SimulatedReceiver.Configuration.noon(replay.personality)
        configuration.baudRate = replay.baudRate.flatMap(BaudRate.init)
        configuration.rate = replay.rate
        var chip = ConfiguredChip(configuration)
        for (number, run) in session.runs.enumerated() {
            prepare(&chip, for: run, replay)
            var (expected, found): ([Reply], [(due: Double, reply: Reply)]) = ([], [])
            var atNewRate: Set<Reply> = []
            var last = run[0].seconds
            let lines = run.drop { !$0.isRequest }
            for line in lines {
                // The excerpts do not contain periodic messages of a receiver.
                if line.seconds - last > 1 { _ = chip.run(for: line.seconds - last) }
                last = line.seconds
                guard line.isRequest else {
                    if let reply = Reply(line) { expected.append(reply) }
                    continue
                }
                let now = chip.receiver.due - 1 + line.seconds - run[0].seconds
                for answer in chip.receiver.receive(line.bytes, at: now) {
                    let replies = Reply.replies(in: answer.bytes)
                    found += replies.map { (answer.due, $0) }
                    if line.rate != nil { atNewRate.formUnion(replies) }
                }
            }
            var simulatedReplies = found.enumerated()
                .sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
                .map(\.element.reply)
            // On a real line, an answer at a new rate may be damaged or requested twice.
            let isCompared = { (reply: Reply) in
                !replay.leftOut.contains(reply.kind) && !atNewRate.contains(reply)
            }
            expected = expected.filter(isCompared)
            simulatedReplies = simulatedReplies.filter(isCompared)
            // The texts of a restart are sent before or after the acknowledgement.
            for isText in [false, true] where !isText || expected.contains(where: \.isText) {
                let real = expected.filter { $0.isText == isText }.map { $0.compared(replay) }
                let simulated = simulatedReplies.filter { $0.isText == isText }
                    .map { $0.compared(replay) }
                #expect(simulated == real, "run \(number + 1)")
            }
            _ = chip.epochs(2)
        }
    }

    /// Sets the values that a real chip reports before any change.
    private func prepare(
        _ chip: inout ConfiguredChip, for run: [RecordedSession.Line], _ replay: Replay
    ) {
        for line in run {
            if line.isRequest, line.message == "CFG-VALSET" || line.message == "CFG-CFG" { break }
            guard !line.isRequest, line.tag == "UBX" else { continue }
            let payload = Array(line.bytes.dropFirst(6).dropLast(2))
            if line.message == "CFG-VALGET", let answer = CfgVALGET(payload: payload.span) {
                let items = (answer.items ?? []).filter { item in
                    !replay.otherKeys.contains(item.key.rawValue)
                }
                chip.configure(CfgVALSET(items))
            }
            if line.message == "CFG-PRT" || line.message == "CFG-GNSS" {
                chip.send(line.bytes)
                // Only what it was before the session.
                return
            }
        }
        // Reloading restores the saved values.
        if replay.personality.sendsUBX { chip.configure(CfgCFG.saveAll) }
    }

    /// An answer.
    struct Reply: Hashable, CustomStringConvertible {
        var kind: String
        var bytes: [UInt8]

        var isText: Bool { kind == "TXT" }
        var description: String {
            "\(kind) \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"
        }

        init(kind: String, bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

        /// A line of a recording; `nil` for periodic output and for noise.
        init?(_ line: RecordedSession.Line) {
            self.init(kind: "", bytes: line.bytes)
            switch line.tag {
            case "UBX": kind = line.message
            case "CASBIN" where !line.message.hasPrefix("NAV"): kind = line.message
            case "UNCB", "UNCA": kind = line.message
            case "NMEA":
                guard let kind = Self.kind(ofSentence: line.bytes) else { return nil }
                self.kind = kind
            default: return nil
            }
            if isText { bytes = Self.text(of: bytes) }
        }

        private static func kind(ofSentence bytes: [UInt8]) -> String? {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("TXT,01,01,02,HW=") { return "HW=" }
            if text.contains("TXT,01,01,02,SW=") { return "SW=" }
            if text.contains(" GNSS*") { return "TXT" }
            let known = ["$command", "$CONFIG", "$PQTM", "#MODE"]
            guard let start = known.first(where: text.hasPrefix) else { return nil }
            return start == "$PQTM" ? "PQTM" : String(start.dropFirst())
        }

        /// The text without the talker, which depends on the constellations.
        private static func text(of bytes: [UInt8]) -> [UInt8] {
            let text = String(decoding: bytes, as: UTF8.self)
            return Array(text.contains("Stopping") ? "Stopping".utf8 : "Starting".utf8)
        }

        /// The answers in the output of a simulated receiver.
        static func replies(in bytes: [UInt8]) -> [Reply] {
            var replies: [Reply] = []
            var rest = bytes[...]
            while let first = rest.first {
                var count =
                    rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 - rest.startIndex + 1 }
                    ?? rest.count
                let head = Array(rest.prefix(8))
                switch first {
                case 0xB5:
                    count = Int(head[4]) + Int(head[5]) << 8 + 8
                    let id = UBXMessageID(head[2], head[3])
                    replies.append(Reply(kind: id.name ?? "?", bytes: Array(rest.prefix(count))))
                case 0xBA:
                    count = Int(head[2]) + Int(head[3]) << 8 + 10
                    let names: [[UInt8]: String] = [
                        [5, 0]: "ACK-NAK", [5, 1]: "ACK-ACK", [0x0A, 4]: "MON-VER",
                        [6, 0]: "CFG-PRT", [6, 3]: "CFG-TP", [6, 4]: "CFG-RATE",
                        [6, 6]: "CFG-TMODE", [6, 7]: "CFG-NAVX", [6, 0x16]: "CFG-TMODE2",
                        [6, 0x0F]: "CFG-NAVBAND", [6, 0x0A]: "CFG-NAVLIMIT",
                    ]
                    let kind = names[Array(head[4...5])] ?? "?"
                    replies.append(Reply(kind: kind, bytes: Array(rest.prefix(count))))
                case 0xAA:
                    count = Int(head[6]) + Int(head[7]) << 8 + 28
                    replies.append(Reply(kind: "VERSION", bytes: Array(rest.prefix(count))))
                default:
                    let sentence = Array(rest.prefix(count))
                    if let kind = kind(ofSentence: sentence) {
                        let isText = kind == "TXT"
                        replies.append(
                            Reply(kind: kind, bytes: isText ? text(of: sentence) : sentence))
                    }
                }
                rest = rest.dropFirst(count)
            }
            return replies
        }

        /// The part of it that is compared.
        func compared(_ replay: Replay) -> Reply {
            if replay.kinds.contains(kind) { return Reply(kind: kind, bytes: []) }
            let payload = Array(bytes.dropFirst(6).dropLast(2))
            guard kind == "CFG-VALGET", !replay.otherKeys.isEmpty,
                let answer = CfgVALGET(payload: payload.span)
            else { return self }
            let items = (answer.items ?? []).filter { !replay.otherKeys.contains($0.key.rawValue) }
            return Reply(kind: kind, bytes: items.flatMap(\.bytes))
        }
    }
}
