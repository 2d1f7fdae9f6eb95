// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import UBX

/// The commands of Zhongke's receivers: PCAS sentences, which are not acknowledged (only the
/// version query `PCAS06` has a reply), and binary frames.
struct CASICCommands: ChipCommands {
    /// Whether the chip is an AT9880 rather than an AT6558.
    let isNew: Bool
    let table = ChipTable.casic
    let otherSettings = [ChipSetting(.period(100...1000), "$PCAS02,%")]

    func respond(
        to message: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction]? {
        if case .casic(let id, let payload) = message {
            guard id.messageClass == 6 else { return [] }
            switch (id, payload.count) {
            case (CASICFrame.port, 0): return answers(ports(memory), to: message)
            case (CASICFrame.message, 4): return poll(message, payload)
            case (_, 0):
                return (isNew ? Self.newValues : Self.values)[id.number]
                    .map { answers([CASICFrame.bytes(id, payload: $0)], to: message) }
            default: return nil
            }
        }
        guard let command = TextCommand(message) else { return [] }
        switch command.name {
        case "PCAS01":
            let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200]
            if let number = command.number(0), rates.indices.contains(number) {
                _ = memory.set(baudRate: rates[number])
            }
            return []
        case "PCAS06": return version(command.number(0))
        default: return nil
        }
    }

    private func version(_ kind: Int?) -> [ReceiverReaction] {
        switch kind {
        case 0: [.sentence("GPTXT,01,01,02,SW=\(isNew ? "URANUS6,V6.3.2.0" : "URANUS5,V5.3.0.0")")]
        case 1: [.sentence("GPTXT,01,01,02,HW=\(isNew ? "AT9880" : "AT6558D"),0000000000000")]
        default: []
        }
    }

    /// Handles `CFG-MSG`. The only supported request is a single `MON-VER` (rate 65,535). An AT9880
    /// sends this message with its next epoch; an AT6558 does not have it.
    private func poll(_ message: ReceivedMessage, _ payload: [UInt8]) -> [ReceiverReaction] {
        guard isNew, payload == [0x0A, 0x04, 0xFF, 0xFF] else {
            return acknowledge(message, .failed)
        }
        let version = CASICFrame.bytes(
            CASICFrame.version,
            payload: "SW=URANUS6,V6.3.2.0".padded(to: 32)
                + "ATGM332D-AT9880-F8N-76".padded(to: 32))
        return acknowledge(message, .done, [], after: 0.1) + [.answer(version, after: 0.9)]
    }

    private func answers(
        _ frames: [[UInt8]], to message: ReceivedMessage
    ) -> [ReceiverReaction] {
        frames.map { .answer($0, after: 0) } + acknowledge(message, .done)
    }

    func acknowledge(
        _ message: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8]
    ) -> [ReceiverReaction] {
        acknowledge(message, result, answer, after: 0)
    }

    private func acknowledge(
        _ message: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8],
        after seconds: Double
    ) -> [ReceiverReaction] {
        guard case .casic(let id, _) = message else { return [] }
        let acknowledgement = CASICFrame.bytes(
            UBXMessageID(5, result == .done ? 1 : 0), payload: [id.messageClass, id.number, 0, 0])
        return (answer.isEmpty ? [] : [.answer(answer, after: 0)])
            + [.answer(acknowledgement, after: seconds)]
    }

    /// Returns the `CFG-PRT` messages of both ports: the second port, which is not connected, and
    /// then the connected port.
    private func ports(_ memory: CommandMemory) -> [[UInt8]] {
        [(UInt8(1), UInt8(7), 115_200), (0, 0xFF, memory.settings.baudRate ?? 9600)].map {
            CASICFrame.bytes(
                CASICFrame.port,
                payload: [$0, $1, 0xC0, 0x08] + UInt32(clamping: $2).littleEndianBytes)
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
