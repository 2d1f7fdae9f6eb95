// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The commands of Zhongke's receivers: PCAS sentences, which are not acknowledged (only the
/// version query `PCAS06` has a reply), and binary frames.
struct CASICCommands {
    /// Whether the chip is an AT9880 rather than an AT6558.
    let isNew: Bool

    // MARK: Sentences

    func respond(to command: TextCommand, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        switch command.name {
        case "PCAS00": memory.save()
        case "PCAS01":
            let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200]
            if let number = command.number(0), rates.indices.contains(number) {
                _ = memory.set(baudRate: rates[number])
            }
        case "PCAS02": _ = command.number(0).map { memory.set(milliseconds: $0, in: 100...1000) }
        case "PCAS03":
            // An empty or missing field keeps the current setting.
            for (index, sentence) in Self.sentences.enumerated() {
                guard let sentence, let epochs = command.number(index) else { continue }
                memory.set(sentence, every: epochs)
            }
        case "PCAS04": _ = command.number(0).map { setConstellations($0, &memory) }
        case "PCAS06": return version(command.number(0))
        case "PCAS10": return restart(command.number(0), &memory)
        default: break
        }
        return []
    }

    private static let sentences: [CycleSentence?] = [
        .gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda, nil, nil, nil, nil, nil, nil, .gst,
    ]

    private func setConstellations(_ bits: Int, _ memory: inout CommandMemory) {
        let enabled = zip([1, 2, 4], [Constellation.gps, .beiDou, .glonass])
            .filter { bits & $0.0 != 0 }.map(\.1)
        guard !enabled.isEmpty else { return }
        let known = memory.defaults.constellations
        memory.settings.constellations = known.filter(enabled.contains)
        memory.settings.signals = memory.defaults.signals.filter { enabled.contains($0.key) }
    }

    private func version(_ kind: Int?) -> [ReceiverReaction] {
        switch kind {
        case 0: [.sentence("GPTXT,01,01,02,SW=\(isNew ? "URANUS6,V6.3.2.0" : "URANUS5,V5.3.0.0")")]
        case 1: [.sentence("GPTXT,01,01,02,HW=\(isNew ? "AT9880" : "AT6558D"),0000000000000")]
        default: []
        }
    }

    private func restart(_ kind: Int?, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        switch kind {
        case 0: return [.restart(.hot)]
        case 1: return [.restart(.warm)]
        case 2: return [.restart(.cold)]
        case 3:
            memory.reset()
            return [.restart(.cold)]
        default: return []
        }
    }

    // MARK: Frames

    func respond(to frame: CASICFrame, _ memory: inout CommandMemory) -> [ReceiverReaction] {
        guard frame.id.messageClass == 6 else { return [] }
        switch (frame.id.number, frame.payload.count) {
        case (0x00, 0):
            return answers(ports(memory), to: frame)
        case (0x00, 8):
            let rate = Int(littleEndianBytes: frame.payload[4...])
            return [acknowledgement(of: frame, memory.set(baudRate: rate))]
        case (0x01, 4): return message(frame)
        case (0x04, 0):
            let period = UInt16(min(65_535, memory.settings.period * 1000))
            return answers([period.littleEndianBytes + [0, 0]], to: frame)
        case (0x04, 4):
            let period = Int(frame.payload[0]) | Int(frame.payload[1]) << 8
            return [acknowledgement(of: frame, memory.set(milliseconds: period, in: 100...1000))]
        case (_, 0):
            guard let payload = (isNew ? Self.newValues : Self.values)[frame.id.number] else {
                return [acknowledgement(of: frame, false)]
            }
            return answers([payload], to: frame)
        default: return [acknowledgement(of: frame, false)]
        }
    }

    /// Handles `CFG-MSG`. The only supported request is a single `MON-VER` (rate 65,535). An AT9880
    /// sends this message with its next epoch; an AT6558 does not have it.
    private func message(_ frame: CASICFrame) -> [ReceiverReaction] {
        guard isNew, frame.payload == [0x0A, 0x04, 0xFF, 0xFF] else {
            return [acknowledgement(of: frame, false)]
        }
        let version = CASICFrame.bytes(
            CASICFrame.version,
            payload: "SW=URANUS6,V6.3.2.0".padded(to: 32)
                + "ATGM332D-AT9880-F8N-76".padded(to: 32))
        return [acknowledgement(of: frame, true, after: 0.1), .answer(version, after: 0.9)]
    }

    private func answers(_ payloads: [[UInt8]], to frame: CASICFrame) -> [ReceiverReaction] {
        payloads.map { ReceiverReaction.answer(CASICFrame.bytes(frame.id, payload: $0), after: 0) }
            + [acknowledgement(of: frame, true)]
    }

    private func acknowledgement(
        of frame: CASICFrame, _ isAccepted: Bool, after seconds: Double = 0
    ) -> ReceiverReaction {
        let answer = CASICFrame.bytes(
            UBXMessageID(5, isAccepted ? 1 : 0),
            payload: [frame.id.messageClass, frame.id.number, 0, 0])
        return .answer(answer, after: seconds)
    }

    /// Returns the `CFG-PRT` payloads of both ports: the second port, which is not connected, and
    /// then the connected port.
    private func ports(_ memory: CommandMemory) -> [[UInt8]] {
        [(UInt8(1), UInt8(7), 115_200), (0, 0xFF, memory.settings.baudRate ?? 9600)].map {
            [$0, $1, 0xC0, 0x08] + UInt32(clamping: $2).littleEndianBytes
        }
    }

    // The following values are the answers of real modules, a 5N71 and an F8N.

    /// The payloads of `CFG-TP`, `CFG-TMODE` and `CFG-NAVX` of an AT6558, by message id.
    private static let values: [UInt8: [UInt8]] = [
        0x03: timePulse([0x03, 0x00, 0x01, 0x00]),
        0x06: [UInt8](repeating: 0, count: 40),
        0x07: [
            0x00, 0x01, 0x00, 0x00, 0x00, 0x30, 0x00, 0x00, 0x08, 0x00, 0x01, 0x00, 0x00, 0x07,
            0xF4, 0x09,
        ]
            + [UInt8](repeating: 0, count: 28),
    ]
    /// The payloads of `CFG-TP`, `CFG-TMODE2`, `CFG-NAVBAND` and `CFG-NAVLIMIT` of an AT9880, by
    /// message id.
    private static let newValues: [UInt8: [UInt8]] = [
        0x03: timePulse([0x03, 0x00, 0x00, 0x04]),
        0x16: [UInt8](repeating: 0, count: 16)
            + [0x40, 0x42, 0x0F, 0, 0x2C, 0x01, 0, 0, 0x98, 0x3A, 0, 0],
        0x0F: [0x01, 0, 0, 0, 0xA1, 0x0C, 0x88, 0x00, 0xAD, 0xCD, 0x28, 0x00],
        0x0A: [0x04, 0x50, 0x08, 0x05, 0x12, 0x00, 0xF4, 0x01],
    ]

    private static func timePulse(_ flags: [UInt8]) -> [UInt8] {
        [0x40, 0x42, 0x0F, 0x00, 0xA0, 0x86, 0x01, 0x00] + flags + [0, 0, 0, 0]
    }
}
