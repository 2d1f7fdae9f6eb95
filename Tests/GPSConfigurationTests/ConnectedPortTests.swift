// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

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
