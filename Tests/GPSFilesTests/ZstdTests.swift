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

@Suite(.timeLimit(.generous))
struct ZstdEndingTests {
    private func ending(_ file: [UInt8]) throws -> CompressedEnding {
        try CompressionFormat.zstd.ending(size: file.count, headCount: 64) { offset, count in
            Array(file.dropFirst(offset).prefix(count))
        }
    }

    /// The file after it was continued there.
    private func continued(_ file: [UInt8], _ cut: CompressedCut) -> [UInt8] {
        file.prefix(cut.offset) + (cut.end?.bytes() ?? [])
            + ZstdFrame.whole(cut.carried)
    }

    @Test func `cut off anywhere, a file keeps every complete block`() throws {
        let frame = try ZstdFrame()
        var file = ZstdFrame.whole(Array("an earlier run\n".utf8))
        var content = Array("an earlier run\n".utf8)
        var ends = [(file.count, content.count)]
        for piece in pieces(12) {
            file += try frame.append(piece)
            content += piece
            ends.append((file.count, content.count))
        }
        for count in 0...file.count {
            let torn = Array(file.prefix(count))
            let ending = try ending(torn)
            let kept = ends.last { $0.0 <= count }?.1 ?? 0
            #expect(ending.tail == Array(content.prefix(kept)))
            #expect(ending.head == Array(content.prefix(min(64, kept))))
            let cut = try #require(ending.cut(dropping: 0))
            let mended = try decompressed(continued(torn, cut))
            #expect(mended.content == ending.tail)
            #expect(mended.isWhole)
        }
    }

    @Test func `bytes after the last complete block are ignored`() throws {
        let frame = try ZstdFrame()
        let block = try frame.append(pieces(1)[0])
        let zeros = [UInt8](repeating: 0, count: 4096)
        let ending = try ending(block + zeros)
        #expect(ending.isTorn)
        #expect(ending.tail == pieces(1)[0])
        #expect(ending.cut(dropping: 0)?.offset == block.count)
        var noise = block + (try frame.append(pieces(2)[1]))
        for index in block.count + 3..<noise.count { noise[index] ^= 0xA5 }
        #expect(try self.ending(noise).tail.starts(with: pieces(1)[0]))
    }

    @Test func `a file with a damaged beginning is an error, not empty`() throws {
        let frame = try ZstdFrame()
        var file = try frame.append(pieces(1)[0])
        // A damaged first block, as if compressed with a dictionary.
        for index in 9..<file.count { file[index] ^= 0xA5 }
        #expect(throws: CompressionError.self) { try ending(file + ZstdFrame.end()) }
    }

    @Test func `lines at the end can be removed from within a block`() throws {
        let frame = try ZstdFrame()
        let parts = pieces(3)
        let first = try frame.append(parts[0])
        let file = first + (try frame.append(parts[1] + parts[2]))
        let whole = file + ZstdFrame.end(Array("</gpx>\n".utf8))
        let ending = try ending(whole)
        #expect(!ending.isTorn)
        let shallow = try #require(ending.cut(dropping: 7))
        #expect(shallow.offset == file.count && shallow.carried.isEmpty && shallow.end == .zstd)
        let deep = try #require(ending.cut(dropping: 7 + parts[2].count))
        #expect(deep.offset == first.count && deep.carried == parts[1] && deep.end == .zstd)
        #expect(try decompressed(continued(whole, deep)).content == parts[0] + parts[1])
    }

    @Test func `long frames and many short ones are read from their end`() throws {
        let frame = try ZstdFrame()
        var file: [UInt8] = []
        var content: [UInt8] = []
        for piece in pieces(20_000) {
            file += try frame.append(piece)
            content += piece
        }
        file += ZstdFrame.end()
        for piece in pieces(300) {
            file += ZstdFrame.whole(piece)
            content += piece
        }
        let ending = try ending(file)
        #expect(ending.head == Array(content.prefix(64)))
        #expect(ending.tail.count >= 1 << 18)
        #expect(ending.tail.elementsEqual(content.suffix(ending.tail.count)))
        let end = try #require(ending.cut(dropping: 0))
        #expect(end.offset == file.count && end.carried.isEmpty && end.end == nil)
        let line = pieces(300)[299].count
        let cut = try #require(ending.cut(dropping: line))
        #expect(cut.offset == file.count - ZstdFrame.whole(pieces(300)[299]).count)
    }
}
