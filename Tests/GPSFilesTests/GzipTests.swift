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

/// Members of gzip files that grow, and files that are continued.
@Suite(.timeLimit(.generous))
struct GzipMemberTests {
    /// Lines that differ like sentences.
    private func lines(_ range: Range<Int>) -> [UInt8] {
        Array(range.map { "$GNGGA,\($0 * 7919 % 86_400),4812.4\($0),N,A\r\n" }.joined().utf8)
    }

    private func ending(_ file: [UInt8]) throws -> CompressedEnding {
        try CompressionFormat.gzip.ending(size: file.count, headCount: 64) { offset, count in
            Array(file.dropFirst(offset).prefix(count))
        }
    }

    /// The file of a recording that continues with `more`.
    private func continued(_ file: [UInt8], _ cut: CompressedCut, _ more: [UInt8]) throws -> [UInt8]
    {
        let member = try GzipMember()
        let kept = Array(file[..<cut.offset]) + (cut.end?.bytes() ?? [])
        let added = try member.append(cut.carried + more)
        return kept + (added.isEmpty ? [] : added + member.end.bytes())
    }

    private func content(_ file: [UInt8]) throws -> [UInt8]? {
        var input = CompressedInput()
        input.push(file[...])
        input.end()
        var content: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try input.take(into: &room)
            guard count > 0 else { return input.isCutOff ? nil : content }
            content += room.prefix(count)
        }
    }

    @Test func `a member is complete after every block, with or without last bytes`() throws {
        let member = try GzipMember()
        var file: [UInt8] = []
        for part in 0..<20 {
            file += try member.append(lines(part * 10..<part * 10 + 10))
            #expect(try content(file + member.end.bytes()) == lines(0..<part * 10 + 10))
            let last = Array("</gpx>\n".utf8)
            let closed = file + member.end.bytes(with: last)
            #expect(try content(closed) == lines(0..<part * 10 + 10) + last)
        }
        #expect(file.count < lines(0..<200).count / 2)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
    func `a member can hold any number of uncompressed bytes`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try content(GzipMember.whole(bytes)) == bytes)
    }

    @Test(arguments: [0, 7, 500])
    func `a file is continued after its kept part`(_ dropped: Int) throws {
        let member = try GzipMember()
        var file = GzipMember.whole(lines(0..<5))
        for part in 1..<40 { file += try member.append(lines(part * 5..<part * 5 + 5)) }
        file += member.end.bytes()
        let ending = try ending(file)
        #expect(!ending.isTorn)
        #expect(ending.tail == lines(0..<200))
        #expect(ending.head.elementsEqual(lines(0..<200).prefix(64)))
        let cut = try #require(ending.cut(dropping: dropped))
        let more = lines(1000..<1010)
        let whole = try content(continued(file, cut, more))
        #expect(whole == lines(0..<200).dropLast(dropped) + more)
        // Only the last blocks are written again.
        #expect(cut.carried.count <= lines(195..<200).count)
    }

    @Test func `all complete blocks of a file that was cut off are kept`() throws {
        let member = try GzipMember()
        var file: [UInt8] = []
        var ends: [Int] = []
        for part in 0..<8 {
            file += try member.append(lines(part * 5..<part * 5 + 5))
            ends.append(file.count)
        }
        file += member.end.bytes()
        for count in 30..<file.count {
            let torn = Array(file.prefix(count))
            let whole = ends.count { $0 <= count }
            guard whole > 0 else { continue }
            let ending = try ending(torn)
            #expect(ending.isTorn)
            // A block may be complete before the empty block that follows it.
            let kept = [whole, whole + 1].map { lines(0..<$0 * 5) }.first { $0 == ending.tail }
            #expect(kept != nil, "\(count)")
            let cut = try #require(ending.cut(dropping: 0))
            let again = try content(continued(torn, cut, lines(90..<91)))
            #expect(again == ending.tail + lines(90..<91), "\(count)")
        }
    }

    @Test func `the end of a long file is found in bounded memory`() throws {
        let member = try GzipMember()
        var file: [UInt8] = []
        for part in 0..<60 { file += try member.append(lines(part * 1000..<part * 1000 + 1000)) }
        file += member.end.bytes()
        let ending = try ending(file)
        #expect(ending.tail.count < 1 << 20)
        #expect(lines(0..<60_000).suffix(ending.tail.count).elementsEqual(ending.tail))
        let cut = try #require(ending.cut(dropping: 10))
        let whole = try content(continued(file, cut, []))
        #expect(whole == lines(0..<60_000).dropLast(10))
    }

    @Test func `data that is not gzip is an error`() {
        #expect(throws: CompressionError.self) { try ending(Array("hello, I am text".utf8)) }
    }
}
