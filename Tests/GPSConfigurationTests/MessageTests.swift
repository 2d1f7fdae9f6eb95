// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct MessageTests {
    @Test func `frames of CASIC have the bytes of a recorded chip`() {
        // 2026-07-22, ATGM332D-5N31.
        #expect(
            CASICFrame.bytes(CASICFrame.message, payload: [0x0A, 0x04, 0xFF, 0xFF])
                == [0xBA, 0xCE, 4, 0, 6, 1, 0x0A, 4, 0xFF, 0xFF, 0x0E, 4, 5, 1])
        #expect(
            CASICFrame.bytes(
                CASICFrame.port, payload: [0xFF, 0xFF, 0xC0, 0x08, 0, 0x4B, 0, 0])
                == [
                    0xBA, 0xCE, 8, 0, 6, 0, 0xFF, 0xFF, 0xC0, 8, 0, 0x4B, 0, 0, 7, 0x4B, 0xC7, 8,
                ])
    }

    @Test func `settings that are longer in some firmware are written back whole`() throws {
        var payload = CfgNAVX5().payload
        payload[0] = 3
        payload += [1, 2, 3, 4]
        let read = CfgNAVX5(payload: payload.span)
        var settings = try #require(read)
        #expect(settings.payload == payload)
        settings.autonomousAssistance = 1
        #expect(settings.payload.count == 44)
    }

    @Test func `sentences have their checksum`() {
        #expect(TextLine.sentence("PMTK220,100") == Array("$PMTK220,100*2F\r\n".utf8))
        #expect(TextLine.sentence("PAIR050,100") == Array("$PAIR050,100*22\r\n".utf8))
        #expect(TextLine.sentence("PCAS00") == Array("$PCAS00*01\r\n".utf8))
    }

    /// The answers of all protocols, in pieces of any size, with noise before and between them.
    @Test(arguments: 1...40)
    func `a session does not depend on how bytes are split`(_ size: Int) {
        var chip = DatabaseChip()
        let version = chip.answers(to: UBXFrame.bytes(MonVER.id, payload: [])).flatMap(\.bytes)
        let noise: [UInt8] = [0xB5, 0x00, 0xBA, 0xCE, 0xFF, 0xAA, 0x44, 0x24, 0x47, 0x23]
        let bytes =
            noise + sentence("GNRMC,120000.00,V") + version + sentence("GNGGA,120000.00,,,,,0")
        var session = ConfigurationSession(
            ConfigurationRequest(), line: ConfigurationLine(baudRate: 38400))
        let now = MonotonicInstant.now
        while session.next(at: now) != nil {}
        for start in stride(from: 0, to: bytes.count, by: size) {
            session.receive(Array(bytes[start...].prefix(size)), at: now)
        }
        guard case .progress(.identified(let identity))? = session.next(at: now) else {
            Issue.record("not identified")
            return
        }
        #expect(identity.model == "ZED-F9P")
    }

    @Test func `no bytes stop a session`() {
        var generator = SeededGenerator(seed: 38)
        let starts: [[UInt8]] = [[0xB5, 0x62], [0xBA, 0xCE], [0xAA, 0x44, 0xB5], [0x24], [0x23]]
        for _ in 0..<200 {
            var session = ConfigurationSession(
                ConfigurationRequest(), line: ConfigurationLine(baudRate: 9600))
            var now = MonotonicInstant.now
            for _ in 0..<50 {
                while session.next(at: now) != nil {}
                let noise = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                    UInt8.random(in: .min ... .max, using: &generator)
                }
                let start = starts.randomElement(using: &generator) ?? []
                session.receive(noise + start, at: now)
                now = now + .milliseconds(100)
            }
        }
    }
}
