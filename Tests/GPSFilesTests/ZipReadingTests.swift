// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSTestTraits
import Testing

/// Reading of KMZ, also as other programs write it.
@Suite(.timeLimit(.generous))
struct ZipReadingTests {
    private static let text = Array("<kml>\(String(repeating: "x", count: 3000))</kml>".utf8)

    /// An entry, stored or deflated, with sizes before or after it.
    private static func entry(
        _ name: String, _ content: [UInt8], isStored: Bool, hasDescriptor: Bool = false,
        hasSignature: Bool = true, flags: Int = 0
    ) -> [UInt8] {
        let (packed, checksum) = deflated(content)
        let data = isStored ? content : packed
        let sums =
            checksum + UInt32(data.count).littleEndianBytes
            + UInt32(content.count).littleEndianBytes
        let fields: [UInt16] = [
            20, UInt16(flags | (hasDescriptor ? 8 : 0)), isStored ? 0 : 8, 0, 0,
        ]
        var bytes = Array("PK\u{3}\u{4}".utf8) + fields.flatMap(\.littleEndianBytes)
        bytes += hasDescriptor ? [UInt8](repeating: 0, count: 12) : sums
        bytes += UInt16(name.utf8.count).littleEndianBytes + UInt16(3).littleEndianBytes
        bytes += Array(name.utf8) + [1, 2, 3] + data
        if hasDescriptor { bytes += (hasSignature ? Array("PK\u{7}\u{8}".utf8) : []) + sums }
        return bytes
    }

    /// The compressed content and its checksum, from a gzip member.
    private static func deflated(_ content: [UInt8]) -> ([UInt8], [UInt8]) {
        let member = GzipMember.whole(content)
        return (Array(member[10..<member.count - 8]), Array(member.suffix(8).prefix(4)))
    }

    private static let directory = Array("PK\u{1}\u{2}".utf8) + [UInt8](repeating: 0, count: 60)

    private func read(_ bytes: [UInt8], piece: Int = 512) throws -> (text: [UInt8], isCut: Bool) {
        var input = CompressedInput()
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 700)
        var rest = bytes[...]
        while true {
            if input.needsInput {
                if rest.isEmpty { input.end() } else { input.push(rest.prefix(piece)) }
                rest = rest.dropFirst(piece)
            }
            let count = try input.take(into: &room)
            result += room.prefix(count)
            if count == 0, input.isOver { return (result, input.isCutOff) }
        }
    }

    @Test(arguments: [1, 7, 100_000])
    func `the first KML of an archive is read, in any form`(_ piece: Int) throws {
        let image = [UInt8](repeating: 7, count: 2000)
        for isStored in [true, false] {
            for (hasDescriptor, hasSignature) in [(false, true), (true, true), (true, false)] {
                if isStored && hasDescriptor { continue }
                let archive =
                    Self.entry(
                        "a.png", image, isStored: isStored, hasDescriptor: hasDescriptor,
                        hasSignature: hasSignature)
                    + Self.entry("files/", [], isStored: true)
                    + Self.entry(
                        "My Track.KML", Self.text, isStored: isStored, hasDescriptor: hasDescriptor,
                        hasSignature: hasSignature)
                    + Self.entry("other.kml", image, isStored: true) + Self.directory
                let read = try read(archive, piece: piece)
                #expect(read.text == Self.text && !read.isCut)
            }
        }
    }

    @Test func `the files with attributes that macOS adds are skipped`() throws {
        for name in ["__MACOSX/._doc.kml", "._doc.kml", "__MACOSX/doc.kml"] {
            let archive =
                Self.entry(name, [0, 5, 22, 7], isStored: true)
                + Self.entry("doc.kml", Self.text, isStored: false) + Self.directory
            #expect(try read(archive).text == Self.text)
        }
    }

    @Test func `an archive whose directory is cut off or missing is read`() throws {
        let entry = Self.entry("doc.kml", Self.text, isStored: false)
        for archive in [entry, entry + Self.directory.prefix(5)] {
            let read = try read(archive)
            #expect(read.text == Self.text && !read.isCut)
        }
    }

    @Test func `an archive that is cut off, damaged or without KML is an error`() throws {
        let entry = Self.entry("doc.kml", Self.text, isStored: true)
        #expect(try read(Array(entry.prefix(2000))).isCut)
        #expect(try read(Array(entry.prefix(20))).isCut)
        var damaged = entry
        damaged[1000] ^= 1
        let others = Self.entry("a.png", Self.text, isStored: false) + Self.directory
        let encrypted = Self.entry("doc.kml", Self.text, isStored: true, flags: 1)
        for (bytes, message) in [
            (damaged, "checksum"), (others, "has no KML"), (encrypted, "encrypted"),
        ] {
            let error = #expect(throws: CompressionError.self) { try read(bytes) }
            #expect(error?.description.contains(message) == true)
            #expect(error?.isUnsupported == (message != "checksum"))
        }
    }
}

/// The sentences of some seconds, one piece per second.
func pieces(_ count: Int) -> [[UInt8]] {
    (0..<count).map { second in
        let time = 120_000 + second
        return Array(
            "$GPGGA,\(time).00,4807.038,N,01131.\(second % 100)00,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"
                .utf8)
    }
}

/// The contents of zstd data, and whether the last frame is complete.
func decompressed(_ bytes: [UInt8]) throws -> (content: [UInt8], isWhole: Bool) {
    let decompressor = try ZstdDecompressor()
    let content = try decompressor.all(bytes[...])
    return (content, !decompressor.isInFrame)
}

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
