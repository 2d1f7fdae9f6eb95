// SPDX-License-Identifier: MIT
import GPSFiles
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ZstdFrameTests {
    @Test func `a frame is complete after each of its blocks, with the end block`() throws {
        let frame = try ZstdFrame()
        var file: [UInt8] = []
        var content: [UInt8] = []
        for piece in pieces(50) {
            file += try frame.append(piece)
            content += piece
            let whole = try decompressed(file + ZstdFrame.end())
            #expect(whole.content == content)
            #expect(whole.isWhole)
            #expect(try decompressed(file).isWhole == false)
        }
        #expect(file.count * 4 < content.count)
        let closed = try decompressed(file + ZstdFrame.end(Array("</gpx>\n".utf8)))
        #expect(closed.content == content + Array("</gpx>\n".utf8))
        #expect(closed.isWhole)
    }

    @Test(arguments: [0, 1, 131_072, 300_000])
    func `bytes are stored uncompressed in frames of any size`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = try decompressed(ZstdFrame.whole(bytes))
        #expect(whole.content == bytes)
        #expect(whole.isWhole)
    }

    @Test func `other data is an error, a prefix of zstd data is not`() throws {
        #expect(throws: CompressionError.self) { try decompressed(Array("$GPGGA,120000".utf8)) }
        #expect(!ZstdDecompressor.isZstd([0x28, 0xB5, 0x2F]))
        #expect(ZstdDecompressor.isZstd([0x28, 0xB5, 0x2F, 0xFD, 0]))
        #expect(ZstdDecompressor.isZstd([0x5F, 0x2A, 0x4D, 0x18]))
    }
}
