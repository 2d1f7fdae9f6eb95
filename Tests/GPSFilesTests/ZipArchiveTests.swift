// SPDX-License-Identifier: MIT
import GPSFiles
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ZipArchiveTests {
    private static let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    private static func archive(pieces: Int) throws -> [UInt8] {
        let archive = try ZipArchive(of: "doc.kml")
        var bytes: [UInt8] = []
        var rest = content[...]
        for _ in 1..<pieces {
            bytes += try archive.append(Array(rest.prefix(content.count / pieces)))
            rest = rest.dropFirst(content.count / pieces)
        }
        return try bytes + archive.end(with: Array(rest))
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int = 4) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    @Test(arguments: [1, 2, 7])
    func `the directory describes the file and its place`(_ pieces: Int) throws {
        let bytes = try Self.archive(pieces: pieces)
        #expect(bytes.count < Self.content.count / 4)
        let end = bytes.count - 22
        try #require(bytes[end...].starts(with: [0x50, 0x4B, 5, 6]))
        let directory = Self.number(bytes, end + 16)
        try #require(directory + Self.number(bytes, end + 12) == end)
        #expect(bytes[directory...].starts(with: [0x50, 0x4B, 1, 2]))
        let size = Self.number(bytes, directory + 20)
        #expect(Self.number(bytes, directory + 24) == Self.content.count)
        // The local header, the content, and the sums.
        #expect(bytes.starts(with: [0x50, 0x4B, 3, 4, 20, 0, 8, 0, 8, 0, 0, 0, 0x21, 0]))
        #expect(30 + "doc.kml".count + size + 16 == directory)
        #expect(bytes[30..<37].elementsEqual("doc.kml".utf8))
        #expect(bytes[directory - 12..<directory] == bytes[directory + 16..<directory + 28])
    }

    @Test func `the same content gives the same archive`() throws {
        #expect(try Self.archive(pieces: 3) == Self.archive(pieces: 3))
    }
}
