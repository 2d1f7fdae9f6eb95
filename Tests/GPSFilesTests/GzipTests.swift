// SPDX-License-Identifier: MIT
import GPSFiles
import GPSTestTraits
import Testing

/// gzip as an input: `printf 'hello\n' | gzip -n`, unchanged and damaged.
@Suite(.timeLimit(.generous))
struct GzipTests {
    private static let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 0x02, 0,
        0x20, 0x30, 0x3A, 0x36, 0x06, 0, 0, 0,
    ]

    private func read(
        _ bytes: [UInt8], piece: Int = 1 << 16, room: Int = 1 << 16
    ) throws -> (text: String, isCutOff: Bool) {
        var input = CompressedInput()
        var rest = bytes[...]
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: room)
        while true {
            while input.needsInput, !input.isOver {
                if rest.isEmpty { input.end() } else { input.push(rest.prefix(piece)) }
                rest = rest.dropFirst(piece)
            }
            let count = try input.take(into: &buffer)
            result += buffer[..<count]
            if count == 0, input.isOver, !input.needsInput { break }
        }
        return (String(decoding: result, as: UTF8.self), input.isCutOff)
    }

    @Test(arguments: [1, 2, 5, 1000], [1, 3, 1000])
    func `decompression is the same for every chunking`(_ piece: Int, _ room: Int) throws {
        let (text, isCutOff) = try read(Self.hello, piece: piece, room: room)
        #expect(text == "hello\n")
        #expect(!isCutOff)
    }

    @Test func `a file may have several members, and zeros after the last`() throws {
        #expect(try read(Self.hello + Self.hello).text == "hello\nhello\n")
        #expect(try read(Self.hello + [0, 0, 0]).text == "hello\n")
        #expect(throws: CompressionError.self) { try read(Self.hello + [1, 2, 3]) }
    }

    @Test func `a file cut off anywhere is detected`() throws {
        for count in 2..<Self.hello.count {
            #expect(try read(Array(Self.hello.prefix(count))).isCutOff, "\(count)")
        }
    }

    @Test func `damage is an error`() {
        var damaged = Self.hello
        damaged[20] ^= 1
        #expect(throws: CompressionError.self) { try read(damaged) }
    }
}
