// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import GPSTestTraits
import RTCM
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct CorrectionFramerTests {
    private static let assistance = UBXFrame.bytes(
        UBXMessageID(0x13, 0x40), payload: Array(repeating: 1, count: 24))

    @Test(arguments: [1, 2, 7, 64, Int.max])
    func `only whole messages are found between other bytes`(size: Int) {
        let stream =
            Array("ICY 200 OK\r\nServer: $GPGGA,,*00\r\n\r\n".utf8) + Specimen.position
            + UBXFrame.bytes(UBXMessageID(0x06, 0x8A), payload: [1, 2, 3]) + Self.assistance
            + [0xD3, 0, 2] + Specimen.biases + SPARTN.message(crc: 2)
            + Specimen.beiDou.dropLast(1)
        let found = messages(stream, inPiecesOf: size)
        #expect(
            found.map(\.kind) == [
                .rtcm(type: 1005, station: 0), .assistance, .rtcm(type: 1230, station: 0),
                .spartn(type: 1, subtype: 2),
            ])
        #expect(
            found.map(\.bytes) == [
                Specimen.position, Self.assistance, Specimen.biases, SPARTN.message(crc: 2),
            ])
    }

    @Test func `a message with a wrong bit is not forwarded`() {
        for message in [
            Specimen.position, Self.assistance, SPARTN.message(crc: 1), SPARTN.message(crc: 3),
        ] {
            for index in message.indices {
                var damaged = message
                damaged[index] ^= 4
                #expect(messages(damaged) == [], "byte \(index)")
            }
        }
    }

    @Test func `a SPARTN message may be encrypted and have any time and CRC`() {
        for crc in 1...3 {
            for isLong in [false, true] {
                for authentication in [nil, 0, 4] as [Int?] {
                    let message = SPARTN.message(
                        crc: crc, hasLongTime: isLong, authentication: authentication)
                    #expect(messages(message + [0]).map(\.bytes) == [message])
                }
            }
        }
    }

    @Test func `a SPARTN message that only a byte protects is not forwarded`() {
        #expect(messages(SPARTN.message(crc: 0)) == [])
    }

    @Test func `CRCs are those of another implementation`() {
        let text = Array("ubxlib forever".utf8)
        #expect([1, 3].map { SPARTN.crc(text, $0) } == [0x5664, 0xE92E_0360])
        #expect(SPARTN.crc4(text) == 0xA)
    }

    @Test func `noise is not forwarded`() {
        var random = SeededGenerator(seed: 66)
        var framer = CorrectionFramer()
        var count = 0
        for _ in 0..<64 {
            framer.push((0..<65_536).map { _ in UInt8(truncatingIfNeeded: random.next()) }) { _ in
                count += 1
            }
            #expect(framer.pendingCount <= 1200)
        }
        #expect(count == 0)
    }

    @Test func `an incomplete message is dropped when the stream begins again`() {
        var framer = CorrectionFramer()
        var found: [CorrectionMessage] = []
        framer.push(Specimen.position.prefix(20)) { found.append($0) }
        framer.reset()
        framer.push(Specimen.position.dropFirst(20) + Specimen.biases) { found.append($0) }
        #expect(found.map(\.bytes) == [Specimen.biases])
        #expect(framer.skippedCount == 25)
    }

    @Test(
        arguments: [
            (1077, .observations), (1004, .observations), (4072, .observations),
            (1005, .station), (1033, .station), (1230, .station), (1019, .ephemerides),
            (1029, .other), (4095, .other),
        ] as [(Int, CorrectionContent)])
    func `the type shows what a message contains`(type: Int, content: CorrectionContent) {
        let found = messages(Specimen.rtcm([(type, 12), (7, 12)]))
        #expect(found.map(\.content) == [content])
        let hasStation = content == .station || content == .observations
        #expect(
            found.map(\.kind) == [
                .rtcm(type: type, station: hasStation && type < 4000 ? 7 : nil)
            ])
    }

    @Test func `messages are counted by station and type`() throws {
        var counts = CorrectionCounts()
        let start = MonotonicInstant.now
        for second in 0..<10 {
            for message in messages(Specimen.beiDou + Specimen.rtcm([(1005, 12), (9, 12)])) {
                counts.add(message, at: start + .seconds(second))
            }
        }
        #expect(counts.count == 20)
        #expect(counts.byteCount == 800)
        let observations = try #require(counts.entries[.rtcm(type: 1127, station: 0)])
        #expect(observations.count == 10)
        #expect(observations.interval == 1)
        #expect(counts.entries[.rtcm(type: 1005, station: 9)]?.byteCount == 90)
    }
}

/// Returns the messages in a stream that is received in pieces of a size.
func messages(_ bytes: [UInt8], inPiecesOf size: Int = .max) -> [CorrectionMessage] {
    var framer = CorrectionFramer()
    var found: [CorrectionMessage] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        framer.push(rest.prefix(size)) { found.append($0) }
        rest = rest.dropFirst(size)
    }
    return found
}

/// SPARTN messages, as its specification describes them.
private enum SPARTN {
    static func message(
        crc code: Int, hasLongTime: Bool = false, authentication: Int? = nil
    ) -> [UInt8] {
        let payload = Array(1...40 as ClosedRange<UInt8>)
        let encrypted = authentication == nil ? 0 : 1
        let bits = 1 << 17 | payload.count << 7 | encrypted << 6 | code << 4
        var head = [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
        head[2] |= crc4(head)
        var content = head + [hasLongTime ? 0x28 : 0x20, 1, 2, 3]
        if hasLongTime { content += [4, 5] }
        if let authentication { content += [0, 2 << 3 | UInt8(authentication)] }
        content += payload
        if let authentication {
            content += [UInt8](repeating: 9, count: [8, 12, 16, 32, 64][authentication])
        }
        let sum = crc(content, code)
        return [0x73] + content
            + (0...code).reversed().map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }

    static func crc4(_ bytes: [UInt8]) -> UInt8 {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 9 : crc >> 1 }
        }
    }

    static func crc(_ bytes: [UInt8], _ code: Int) -> Int {
        let top = 1 << (8 * code + 8)
        let polynomial = [0x107, 0x1_1021, 0x186_4CFB, 0x1_04C1_1DB7][code]
        let initial = code == 3 ? top - 1 : 0
        let crc = bytes.reduce(initial) { crc, byte in
            (0..<8).reduce(crc ^ Int(byte) << (8 * code)) { crc, _ in
                crc << 1 & top == 0 ? crc << 1 : crc << 1 ^ polynomial
            }
        }
        return crc ^ initial
    }
}
