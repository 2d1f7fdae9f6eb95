// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration

/// Interprets MediaTek's commands. The receiver answers with `$PMTK001,COMMAND,RESULT`, where 3
/// means success, 1 an unknown command and 2 a failure.
struct MediaTekCommands: ChipCommands {
    let table = ChipTable.mediaTek

    func values(_ settings: ReceiverSettings) -> [(name: String, text: String)] {
        [(CommandMemory.calculationPeriod, "\(Int((settings.period * 1000).rounded()))")]
    }

    /// Returns the number of a command; `nil` if it is not from MediaTek.
    private func number(_ command: TextCommand) -> Int? {
        command.name.hasPrefix("PMTK") ? Int(command.name.dropFirst(4)) : nil
    }

    func respond(
        to message: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction]? {
        guard let command = TextCommand(message), let number = number(command) else { return [] }
        switch (number, command.fields.first) {
        case (0, _): return acknowledge(message, .done)
        case (251, nil), (251, "0"?):
            return acknowledge(
                message, memory.set(baudRate: memory.defaults.baudRate ?? 9600) ? .done : .failed,
                []
            )
        case (314, "-1"?):
            memory.settings.sentences = memory.defaults.sentences
            return acknowledge(message, .done)
        case (605, _): return [.sentence("PMTK705,AXN_SIMULATED,0000,MT3339,1.0")]
        default: return nil
        }
    }

    func acknowledge(
        _ message: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8]
    ) -> [ReceiverReaction] {
        guard answer.isEmpty else { return [.answer(answer, after: 0)] }
        guard let number = TextCommand(message).flatMap(number) else { return [] }
        switch result {
        // As with real receivers, no readable answer to a change of the baud rate arrives.
        case .done where 101...104 ~= number || number == 251: return []
        case .done: return [.sentence("PMTK001,\(number),3")]
        case .failed: return [.sentence("PMTK001,\(number),2")]
        case .unknown: return [.sentence("PMTK001,\(number),1")]
        }
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
struct AirohaCommands: ChipCommands {
    let table = ChipTable.airoha

    func respond(
        to message: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction]? {
        guard let command = TextCommand(message) else { return [] }
        switch command.name {
        case "PAIR002", "PAIR003":
            return acknowledge(message, .done) + [.run(command.name == "PAIR002")]
        case "PAIR020":
            return acknowledge(
                message, .done, TextLine.sentence("PAIR020,SIMULATED,S,N,0,0,0,0,0"))
        case "PAIR864":
            // The new baud rate takes effect after the next restart.
            guard let rate = command.number(2), CommandMemory.baudRates.contains(rate),
                memory.settings.baudRate != nil
            else { return acknowledge(message, .failed) }
            memory.saved.baudRate = rate
            return acknowledge(message, .done)
        case "PQTMVERNO": return [.sentence("PQTMVERNO,LC29HSIMULATED,2025/01/01,00:00:00")]
        case _ where command.name.hasPrefix("PQTM"):
            return QuectelCommands().reactions(to: message, &memory, moment)
        default: return command.name.hasPrefix("PAIR") ? nil : []
        }
    }

    func acknowledge(
        _ message: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8]
    ) -> [ReceiverReaction] {
        guard let number = TextCommand(message)?.name.dropFirst(4) else { return [] }
        let code = result == .done ? 0 : result == .failed ? 2 : 3
        return [.sentence("PAIR001,\(number),\(code)")]
            + (answer.isEmpty ? [] : [.answer(answer, after: 0)])
    }
}

/// Interprets Quectel's commands. The receiver answers `$PQTMCFG…,R` with `OK` and the values, and
/// `$PQTMCFG…,W,…` with `OK`.
struct QuectelCommands: ChipCommands {
    let table = ChipTable.quectel

    func values(_ settings: ReceiverSettings) -> [(name: String, text: String)] { Self.values }

    // The values that a real LG290P reports.
    private static let values: [(name: String, text: String)] = [
        ("PQTMCFGPPS2", "1,1,100,2,1,0,1000,0,1,0,0,0"), ("PQTMCFGELETHD", "5.0"),
        ("PQTMCFGCNST", "1,1,1,1,1,1"), ("PQTMCFGSIGNAL", "07,03,0F,3F,0F,01"),
        ("PQTMCFGSVIN", "0,0,0.0,0.0000,0.0000,0.0000,0.0"), ("PQTMCFGRCVRMODE", "1"),
        ("PQTMCFGRTCM", "4,0,-90.0,07,06,1,0"), ("PQTMCFGRSID", "290"),
        ("PQTMCFGPROT", "1,1,00000007,00000007"),
    ]

    func respond(
        to message: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction]? {
        guard let command = TextCommand(message) else { return [] }
        switch command.name {
        case "PQTMVERNO":
            return [.sentence("PQTMVERNO,LG290P03AANR02A01S,2025/12/12,11:21:01")]
        case "PQTMRESTOREPAR":
            // The factory settings take effect after the next restart.
            (memory.saved, memory.savedValues) = (memory.defaults, Self.values)
            return [.sentence("PQTMRESTOREPAR,OK")]
        case "PQTMSRR":
            memory.load()
            return [.restart(.hot)]
        case "PQTMLSTMSG": return list(memory)
        case "PQTMCFGMSGRATE": return interval(command, &memory)
        case "PQTMCFGPROT" where command.fields.first == "W":
            var wanted = ReceiverConfiguration()
            guard command.fields.count == 5, ChipValue.protocols.read(command.fields, into: &wanted)
            else { return [.sentence("PQTMCFGPROT,ERROR,1")] }
            memory.settings.acceptsRTCM = wanted.rtcmInput == true
            return value(command, &memory)
        default: return value(command, &memory)
        }
    }

    func acknowledge(
        _ message: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8]
    ) -> [ReceiverReaction] {
        guard let name = TextCommand(message)?.name, result != .unknown else { return [] }
        guard answer.isEmpty else {
            return [.answer(answer, after: name == "PQTMCFGUART" ? 0 : 0.1)]
        }
        return [.sentence("\(name),\(result == .done ? "OK" : "ERROR,1")")]
    }

    private func interval(
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
    ) -> [ReceiverReaction]? {
        guard let text = memory[command.name] else { return nil }
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
