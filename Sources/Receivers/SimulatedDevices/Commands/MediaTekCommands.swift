// SPDX-License-Identifier: MIT
import GNSS

/// Interprets MediaTek's commands. The receiver answers with `$PMTK001,COMMAND,RESULT`, where 3
/// means success, 1 an unknown command and 2 a failure.
struct MediaTekCommands {
    func respond(to command: TextCommand, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        guard command.name.hasPrefix("PMTK"), let number = Int(command.name.dropFirst(4)) else {
            return []
        }
        switch number {
        case 0: return [result(number, 3)]
        case 101: return [.restart(.hot)]
        case 102: return [.restart(.warm)]
        case 103: return [.restart(.cold)]
        case 104:
            Self.reset(&memory)
            return [.restart(.cold)]
        case 220:
            let isSet = command.number(0).map { memory.set(milliseconds: $0, in: 100...10_000) }
            return [result(number, isSet == true ? 3 : 2)]
        case 300:
            guard let interval = command.number(0), 100...10_000 ~= interval else {
                return [result(number, 2)]
            }
            memory[Self.fixInterval] = "\(interval)"
            return [result(number, 3)]
        case 400:
            return [.sentence("PMTK500,\(memory[Self.fixInterval] ?? "1000"),0,0,0.0,0.0")]
        case 251:
            let rate = command.number(0) ?? 0
            let standard = memory.defaults.baudRate ?? 9600
            // As with real receivers, no readable answer to a change of the baud rate arrives.
            return memory.set(baudRate: rate == 0 ? standard : rate) ? [] : [result(number, 2)]
        case 314:
            setSentences(command, &memory)
            return [result(number, 3)]
        case 414:
            let epochs = Self.sentences.map { $0.flatMap { memory.settings.sentences[$0] } ?? 0 }
            return [.sentence("PMTK514," + epochs.map(String.init).joined(separator: ","))]
        case 353:
            let isSet = setConstellations(command, &memory)
            return isSet ? [result(number, 3)] : [result(number, 2)]
        case 605: return [.sentence("PMTK705,AXN_SIMULATED,0000,MT3339,1.0")]
        default: return [result(number, 1)]
        }
    }

    /// The name of the stored interval between fixes in milliseconds, which PMTK300 sets. It does
    /// not affect the fixes: a simulated receiver has a new position in each epoch, and PMTK220
    /// sets the interval between epochs.
    private static let fixInterval = "fix interval"

    /// Returns the stored values, with their names, of a receiver that starts with these settings.
    static func values(_ settings: ReceiverSettings) -> [(name: String, text: String)] {
        [(fixInterval, "\(Int((settings.period * 1000).rounded()))")]
    }

    /// Restores the factory settings.
    static func reset(_ memory: inout CommandMemory) {
        memory.reset()
        memory[fixInterval] = nil
    }

    private static let sentences: [CycleSentence?] =
        [.gll, .rmc, .vtg, .gga, .gsa, .gsv, nil, .gst]
        + [CycleSentence?](repeating: nil, count: 9) + [.zda, nil]

    private func result(_ command: Int, _ result: Int) -> ReceiverReaction {
        .sentence("PMTK001,\(command),\(result)")
    }

    private func setSentences(_ command: TextCommand, _ memory: inout CommandMemory) {
        guard command.fields.first != "-1" else {
            memory.settings.sentences = memory.defaults.sentences
            return
        }
        for (index, sentence) in Self.sentences.enumerated() {
            guard let sentence else { continue }
            memory.set(sentence, every: command.number(index) ?? 0)
        }
    }

    private func setConstellations(_ command: TextCommand, _ memory: inout CommandMemory) -> Bool {
        let order: [Constellation] = [.gps, .glonass, .galileo, .galileo, .beiDou]
        let enabled = order.indices.filter { command.number($0) == 1 }.map { order[$0] }
        return memory.set(enabled)
    }
}

extension CommandMemory {
    /// Enables exactly the given constellations, as far as the receiver supports them. SBAS is
    /// enabled together with GPS. Returns `false` and changes nothing if none is supported.
    mutating func set(_ enabled: [Constellation]) -> Bool {
        let enabled = enabled + (enabled.contains(.gps) ? [.sbas] : [])
        let known = defaults.constellations.filter(enabled.contains)
        guard known.contains(where: { $0 != .sbas }) else { return false }
        settings.constellations = known
        settings.signals = defaults.signals.filter { known.contains($0.key) }
        return true
    }
}

/// Interprets Airoha's commands. The receiver answers with `$PAIR001,COMMAND,RESULT`, where 0 means
/// success, 2 a failure and 3 an unknown command.
struct AirohaCommands {
    func respond(to command: TextCommand, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        guard command.name.hasPrefix("PAIR") else {
            if command.name == "PQTMVERNO" {
                return [.sentence("PQTMVERNO,LC29HSIMULATED,2025/01/01,00:00:00")]
            }
            return command.name.hasPrefix("PQTM")
                ? QuectelCommands().respond(to: command, &memory) : []
        }
        let number = String(command.name.dropFirst(4))
        var result = 0
        var reactions: [ReceiverReaction] = []
        switch number {
        case "002", "003": reactions = [.run(number == "002")]
        case "004": reactions = [.restart(.hot)]
        case "005": reactions = [.restart(.warm)]
        case "006": reactions = [.restart(.cold)]
        case "007":
            memory.reset()
            reactions = [.restart(.cold)]
        case "020": reactions = [.sentence("PAIR020,SIMULATED,S,N,0,0,0,0,0")]
        case "050":
            let isSet = command.number(0).map { memory.set(milliseconds: $0, in: 100...1000) }
            result = isSet == true ? 0 : 2
        case "051":
            let period = Int((memory.settings.period * 1000).rounded())
            reactions = [.sentence("PAIR051,\(period)")]
        case "062":
            guard let type = command.number(0), let epochs = command.number(1),
                Self.sentences.indices.contains(type)
            else {
                result = 2
                break
            }
            if let sentence = Self.sentences[type] { memory.set(sentence, every: epochs) }
        case "066":
            let order: [Constellation] = [.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]
            let enabled = order.indices.filter { command.number($0) == 1 }.map { order[$0] }
            result = memory.set(enabled) ? 0 : 2
        case "513": memory.save()
        case "864":
            // The new baud rate takes effect after the next restart.
            guard let rate = command.number(2), CommandMemory.baudRates.contains(rate),
                memory.settings.baudRate != nil
            else {
                result = 2
                break
            }
            memory.saved.baudRate = rate
        default: result = 3
        }
        return [.sentence("PAIR001,\(number),\(result)")] + reactions
    }

    private static let sentences: [CycleSentence?] = [
        .gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda, nil, .gst,
    ]
}

/// Interprets Quectel's commands. The receiver answers `$PQTMCFG…,R` with `OK` and the values, and
/// `$PQTMCFG…,W,…` with `OK`.
struct QuectelCommands {
    // The values that a real LG290P reports.
    static let values: [(name: String, text: String)] = [
        ("PQTMCFGPPS2", "1,1,100,2,1,0,1000,0,1,0,0,0"), ("PQTMCFGELETHD", "5.0"),
        ("PQTMCFGCNST", "1,1,1,1,1,1"), ("PQTMCFGSIGNAL", "07,03,0F,3F,0F,01"),
        ("PQTMCFGSVIN", "0,0,0.0,0.0000,0.0000,0.0000,0.0"), ("PQTMCFGRCVRMODE", "1"),
        ("PQTMCFGRTCM", "4,0,-90.0,07,06,1,0"), ("PQTMCFGRSID", "290"),
        ("PQTMCFGPROT", "1,1,00000007,00000007"),
    ]

    func respond(to command: TextCommand, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        switch command.name {
        case "PQTMVERNO":
            return [.sentence("PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01")]
        case "PQTMSAVEPAR":
            memory.save()
            return [.sentence("PQTMSAVEPAR,OK")]
        case "PQTMRESTOREPAR":
            // The factory settings take effect after the next restart.
            (memory.saved, memory.savedValues) = (memory.defaults, Self.values)
            return [.sentence("PQTMRESTOREPAR,OK")]
        case "PQTMSRR":
            memory.load()
            return [.restart(.hot)]
        case "PQTMLSTMSG": return list(memory)
        case "PQTMCFGUART": return line(command, &memory)
        case "PQTMCFGFIXRATE": return rate(command, &memory)
        case "PQTMCFGMSGRATE": return message(command, &memory)
        default: return value(command, &memory)
        }
    }

    private func line(
        _ command: TextCommand, _ memory: inout CommandMemory
    ) -> [ReceiverReaction] {
        guard command.fields.first == "W" else {
            let rate = memory.settings.baudRate ?? 460_800
            return [.sentence("PQTMCFGUART,OK,1,\(rate),8,0,1,0")]
        }
        // The port number before the baud rate is optional.
        let rate = command.number(2) ?? command.number(1) ?? 0
        let isSet = memory.set(baudRate: rate)
        return [.sentence("PQTMCFGUART,\(isSet ? "OK" : "ERROR,1")")]
    }

    private func rate(
        _ command: TextCommand, _ memory: inout CommandMemory
    ) -> [ReceiverReaction] {
        guard command.fields.first == "W" else {
            return [
                .sentence(
                    "PQTMCFGFIXRATE,OK,\(Int((memory.settings.period * 1000).rounded()))",
                    after: 0.1)
            ]
        }
        let isSet = command.number(1).map { memory.set(milliseconds: $0, in: 50...1000) }
        return [.sentence("PQTMCFGFIXRATE,\(isSet == true ? "OK" : "ERROR,1")")]
    }

    private func message(
        _ command: TextCommand, _ memory: inout CommandMemory
    ) -> [ReceiverReaction] {
        guard command.fields.count >= 2,
            let sentence = CycleSentence(rawValue: command.fields[1])
        else { return [.sentence("PQTMCFGMSGRATE,ERROR,1")] }
        if command.fields[0] == "W", let epochs = command.number(2) {
            memory.set(sentence, every: epochs)
            return [.sentence("PQTMCFGMSGRATE,OK")]
        }
        let epochs = memory.settings.sentences[sentence] ?? 0
        return [.sentence("PQTMCFGMSGRATE,OK,\(sentence.rawValue),\(epochs)")]
    }

    private func value(
        _ command: TextCommand, _ memory: inout CommandMemory
    ) -> [ReceiverReaction] {
        guard let text = memory[command.name] else { return [] }
        switch command.fields.first {
        case "R": return [.sentence("\(command.name),OK,\(text)", after: 0.1)]
        case "W":
            var values = command.fields.dropFirst().joined(separator: ",")
            // When the survey-in settings are read, an additional value follows: the elapsed
            // duration.
            if command.name == "PQTMCFGSVIN" { values += ",0.0" }
            memory[command.name] = values
            return [.sentence("\(command.name),OK")]
        default: return [.sentence("\(command.name),ERROR,1")]
        }
    }

    /// Returns the list of enabled messages: RTCM 3 for a base station, otherwise PQTM sentences.
    private func list(_ memory: CommandMemory) -> [ReceiverReaction] {
        let isBase = memory["PQTMCFGRCVRMODE"] == "2"
        let corrections =
            ["1005,1", "1033,1"]
            + ["107X", "108X", "109X", "111X", "112X", "113X"].map { "\($0),1,0" }
        let names =
            isBase ? corrections.map { "RTCM3-\($0)" } : ["PQTMTXT,1,1", "PQTMPVT,1,1"]
        return (names.map { "1,1,\($0)" } + ["End"]).map {
            .sentence("PQTMLSTMSG,OK,\($0)", after: 0.1)
        }
    }
}
