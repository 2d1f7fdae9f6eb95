// SPDX-License-Identifier: MIT

/// Interprets Quectel's commands. The receiver answers `$PQTMCFG…,R` with `OK` and the values, and
/// `$PQTMCFG…,W,…` with `OK`.
struct QuectelDialect {
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
