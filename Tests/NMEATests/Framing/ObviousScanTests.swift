// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Scanning of many bytes at a time, compared with scanning byte by byte.
@Suite(.timeLimit(.generous)) struct ObviousScanTests {
    private struct Found: Equatable {
        var text: [UInt8]
        var fieldCount: Int
        var offset: Int
        var isGlued: Bool
    }

    /// A sentence of any length at any offset of its chunk, ended by any byte.
    @Test func `line ends, checksums and commas are found at every position`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4000 {
            let junk = [UInt8](
                repeating: UInt8(ascii: "x"), count: .random(in: 0...20, using: &random))
            let body = body(&random)
            let isRight = Bool.random(using: &random)
            let sum = body.reduce(isRight ? 0 : 1, ^)
            let digits = Array(String(sum, radix: 16, uppercase: Bool.random(using: &random)).utf8)
            let tail = [UInt8(ascii: "*")] + (sum < 16 ? [UInt8(ascii: "0")] : []) + digits
            let text = [UInt8(ascii: "$")] + body + tail
            let ends: [UInt8] = [
                0x0A, 0x0D, UInt8(ascii: "$"), UInt8(ascii: "!"), 0, 0x1F, 0x7F, 0x80,
            ]
            let end = ends.randomElement(using: &random) ?? 0

            let isStart = end == UInt8(ascii: "$") || end == UInt8(ascii: "!")
            let wanted = Found(
                text: text, fieldCount: body.count { $0 == UInt8(ascii: ",") }, offset: junk.count,
                isGlued: isStart)
            // The number of bytes that follow determines how many are scanned at a time.
            let behind = [UInt8](repeating: 0x0A, count: Bool.random(using: &random) ? 1 : 99)
            let found = frame(junk + text + [end] + behind)
            #expect(found == (isRight ? [wanted] : []), "ended by \(end), seed \(seed)")
        }
    }

    /// An address and any valid characters, or only common ones.
    private func body(_ random: inout SeededGenerator) -> [UInt8] {
        let isDense = Bool.random(using: &random)
        let first: UInt8 = Bool.random(using: &random) ? 0x20 : 0x2B
        let longest = Bool.random(using: &random) ? 100 : 900
        var body = "GPXYZ,".bytes
        let count = Int.random(in: 0...longest, using: &random)
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            let byte = UInt8.random(in: first...0x7E, using: &random)
            let isReserved = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
            let isComma = isDense && Int.random(in: 0..<3, using: &random) > 0
            body.append(isReserved || isComma ? UInt8(ascii: ",") : byte)
        }
        return body
    }

    private func frame(_ bytes: [UInt8]) -> [Found] {
        var framer = Framer()
        var found: [Found] = []
        func take(_ event: FramerEvent) {
            guard case .sentence(let raw) = event else { return }
            found.append(
                Found(
                    text: raw.bytes, fieldCount: raw.fieldCount, offset: raw.offset,
                    isGlued: raw.isGlued))
        }
        framer.push(bytes.span, take)
        framer.finish(take)
        return found
    }
}
