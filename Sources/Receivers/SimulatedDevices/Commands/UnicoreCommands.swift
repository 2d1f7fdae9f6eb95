// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration

/// Interprets Unicore's commands, which are lines of text such as `MASK GPS`. The receiver
/// answers each with `$command,LINE,response: OK`.
struct UnicoreCommands: ChipCommands {
    let table = ChipTable.unicore

    // The values that a real UM980 reports.
    private static let values: [(name: String, text: String)] = [
        ("ANTENNA", "POWERON"), ("NMEAVERSION", "V410"), ("VELSTDTHD", "DISABLE 0 0"),
        ("RTK TIMEOUT", "120"), ("RTK RELIABILITY", "3 1"), ("PPP TIMEOUT", "120"),
        ("DGPS TIMEOUT", "300"), ("RTCMB1CB2A", "ENABLE"),
        ("ANTENNADELTAHEN", "0.0000 0.0000 0.0000"), ("PPS", "ENABLE GPS POSITIVE 123 1000 0 0"),
        ("SIGNALGROUP", "1"), ("ANTIJAM", "AUTO"), ("AGNSS", "DISABLE"), ("LOGSEQ", "1"),
        ("CMDFORMAT", "0"), ("COM1", "115200"), ("COM2", "115200"), ("COM3", "115200"),
    ]
    /// Returns the initial values, by name, of a receiver with these settings that is connected by
    /// COM1.
    func values(_ settings: ReceiverSettings) -> [(name: String, text: String)] {
        Self.values.map { name, text in
            (name, name == "COM1" ? settings.baudRate.map { "\($0)" } ?? text : text)
        }
    }

    /// The first words of names of `CONFIG` values that consist of two words, such as `RTK` in
    /// `RTK TIMEOUT`.
    private static let groups = ["RTK", "PPP", "DGPS"]

    /// The time from a command to its answer, in seconds.
    private static let pause = 0.03
    /// The time from a command to the requested data, in seconds. It is longer than `pause`, so
    /// that commands sent together are answered before the data is sent.
    private static let preparation = 0.08

    func respond(
        to command: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction]? {
        guard case .line(let line) = command else { return [] }
        let words = line.split(separator: " ").map(String.init)
        let arguments = words.dropFirst().map { $0 }
        var answers: [ReceiverReaction] = []
        switch words.first?.uppercased() {
        case "VERSIONB": answers = [.answer(version(moment), after: Self.preparation)]
        case "CONFIG" where arguments.isEmpty: answers = list(memory)
        case "CONFIG":
            guard set(arguments, &memory) else {
                return acknowledge(command, .failed)
            }
        case "MASK" where arguments.isEmpty: answers = masks(memory)
        case "MASK", "UNMASK":
            guard mask(arguments, isMasked: words[0].uppercased() == "MASK", &memory) else {
                return acknowledge(command, .failed)
            }
        case "MODE" where arguments.isEmpty: answers = [mode(moment)]
        case "MODE", "UNLOG", "LOG": break
        case "SAVECONFIG": memory.save()
        case "RESET": answers = [.restart(.cold)]
        case "FRESET":
            memory.reset()
            memory.values = values(memory.settings)
            memory.savedValues = memory.values
            answers = [.restart(.cold)]
        default:
            guard line.allSatisfy({ $0.isLetter || $0.isNumber || " .,-".contains($0) }) else {
                return []
            }
            return acknowledge(command, .unknown)
        }
        return acknowledge(command, .done) + answers
    }

    func acknowledge(
        _ command: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8]
    ) -> [ReceiverReaction] {
        guard case .line(let line) = command else { return [] }
        let text =
            result == .done
            ? "OK" : "PARSING FAILD NO MATCHING FUNC" + (result == .failed ? "" : " \(line)")
        return [sentence("command,\(line),response: \(text)")]
    }

    /// Returns an answer with a sentence whose checksum includes the dollar sign.
    private func sentence(_ body: String, after seconds: Double = pause) -> ReceiverReaction {
        .answer(TextLine.sentence(body, includesStart: true), after: seconds)
    }

    // MARK: Settings

    private func list(_ memory: CommandMemory) -> [ReceiverReaction] {
        memory.values.filter { $0.name != "MASK" }.map { name, text in
            let group = name.split(separator: " ").first.map(String.init) ?? name
            return sentence(
                "CONFIG,\(group),CONFIG \(name) \(text)", after: Self.preparation)
        }
    }

    private func set(_ arguments: [String], _ memory: inout CommandMemory) -> Bool {
        let isGroup = Self.groups.contains(arguments[0].uppercased()) && arguments.count > 1
        let name = arguments.prefix(isGroup ? 2 : 1).joined(separator: " ").uppercased()
        guard memory[name] != nil, arguments.count > (isGroup ? 2 : 1) else { return false }
        let text = arguments.dropFirst(isGroup ? 2 : 1).joined(separator: " ")
        if name == "COM1", let rate = arguments.dropFirst().first.flatMap(Int.init) {
            guard memory.set(baudRate: rate) else { return false }
        }
        memory[name] = text
        return true
    }

    private var constellations: [(constellation: Constellation, name: String)] {
        for case .unused(let names) in table.settings.map(\.value) { return names }
        return []
    }

    /// Returns the minimum elevation and the disabled constellations, one per line.
    private func masks(_ memory: CommandMemory) -> [ReceiverReaction] {
        let disabled = constellations.filter {
            memory.defaults.constellations.contains($0.constellation)
                && !memory.settings.constellations.contains($0.constellation)
        }
        return ([memory["MASK"] ?? "5.0"] + disabled.map { $0.name }).map {
            sentence("CONFIG,MASK,MASK \($0)", after: Self.preparation)
        }
    }

    /// Handles `MASK` and `UNMASK`: sets the minimum elevation, or disables or enables a
    /// constellation. Names of signals are accepted but have no effect. Returns `false` if the
    /// elevation is not from -90 to 90 degrees.
    private func mask(
        _ arguments: [String], isMasked: Bool, _ memory: inout CommandMemory
    ) -> Bool {
        guard let word = arguments.first?.uppercased() else { return true }
        if let elevation = Double(word) {
            guard -90...90 ~= elevation else { return false }
            memory["MASK"] = word
            memory.settings.minimumElevation = elevation
        } else if let constellation = constellations.first(where: { $0.name == word })?
            .constellation
        {
            var enabled = memory.settings.constellations.filter { $0 != constellation }
            if !isMasked { enabled.append(constellation) }
            _ = memory.set(enabled)
        }
        return true
    }

    // MARK: State

    private func mode(_ moment: ReceiverSnapshot) -> ReceiverReaction {
        let time = GPSTime(moment.time)
        let (week, milliseconds) = (time?.week ?? 0, time?.milliseconds ?? 0)
        let body = "MODE,95,GPS,FINE,\(week),\(milliseconds),17548,0,18,1;MODE ROVER SURVEY,"
        return .answer(TextLine.sentence(body, start: "#"), after: Self.preparation)
    }

    /// Returns the binary message `VERSION`: a header of 24 bytes, texts and a CRC.
    private func version(_ moment: ReceiverSnapshot) -> [UInt8] {
        let payload: [UInt8] =
            UInt32(18).littleEndianBytes + "17548".padded(to: 33) + "SIMULATED".padded(to: 129)
            + [UInt8](repeating: 0, count: 66 + 33 + 43)
        let time = GPSTime(moment.time)
        var frame: [UInt8] = [0xAA, 0x44, 0xB5, 95] + UInt16(37).littleEndianBytes
        frame += UInt16(payload.count).littleEndianBytes + [0, 160]
        frame += UInt16(clamping: time?.week ?? 0).littleEndianBytes
        frame += (time?.milliseconds ?? 0).littleEndianBytes
        frame += UInt32(17_548).littleEndianBytes + [0, 18] + UInt16(888).littleEndianBytes
        frame += payload
        return frame + UnicoreFrame.checksum(frame[...]).littleEndianBytes
    }
}
