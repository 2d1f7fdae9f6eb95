// SPDX-License-Identifier: MIT
import GNSS

/// Interprets MediaTek's commands. The receiver answers with `$PMTK001,COMMAND,RESULT`, where 3
/// means success, 1 an unknown command and 2 a failure.
struct MediaTekDialect {
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
struct AirohaDialect {
    func respond(to command: TextCommand, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        guard command.name.hasPrefix("PAIR") else {
            if command.name == "PQTMVERNO" {
                return [.sentence("PQTMVERNO,LC29HSIMULATED,2025/01/01,00:00:00")]
            }
            return command.name.hasPrefix("PQTM")
                ? QuectelDialect().respond(to: command, &memory) : []
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
