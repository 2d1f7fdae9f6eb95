// SPDX-License-Identifier: MIT
import CGPSZlib
import GNSS

/// Writes a zip archive with a single compressed file as a stream.
///
/// A ``GzipMember`` provides the compressed content, its checksum and its length. The file's date
/// is always 1 January 1980, so the same content gives the same archive.
package final class ZipArchive {
    /// The size in bytes of the gzip member's header, which is not part of the archive.
    private static let gzipHeaderSize = 10
    /// Fields of the file's header: version 2.0; a flag that the sizes follow the content; deflate;
    /// time 0:00; date 1 January 1980.
    private static let properties: [UInt16] = [20, 0x0008, 8, 0, 0x0021]

    private let name: [UInt8]
    private let member: GzipMember
    private var length = 0

    /// Creates an archive with a file called `name`, in ASCII. Throws if out of memory.
    package init(of name: String) throws(CompressionError) {
        self.name = Array(name.utf8)
        member = try GzipMember()
    }

    /// Compresses content and returns the bytes to write. The first call also returns the header.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        let isFirst = member.size == 0
        let compressed = try member.append(bytes)
        length += bytes.count
        guard isFirst, !compressed.isEmpty else { return compressed }
        return header + compressed.dropFirst(Self.gzipHeaderSize)
    }

    /// Returns the end of the archive. It contains `last`, the last part of the content, which must
    /// not be empty.
    ///
    /// Throws an error if the content or the archive is larger than 4 GiB.
    package func end(with last: [UInt8]) throws(CompressionError) -> [UInt8] {
        var result = try append(last)
        let memberEnd = member.end.bytes()
        let block = memberEnd.dropLast(8)
        let size = member.size - Self.gzipHeaderSize + block.count
        let directory = header.count + size + 16
        guard length <= UInt32.max, directory <= Int(UInt32.max) else {
            throw CompressionError("a zip archive holds at most 4 GiB")
        }
        // The checksum, the compressed size and the size of the content.
        let sums =
            memberEnd.suffix(8).prefix(4) + UInt32(size).littleEndianBytes + memberEnd.suffix(4)
        result += block + Array("PK\u{7}\u{8}".utf8) + sums
        let entry = entry(sums)
        result += entry + Array("PK\u{5}\u{6}".utf8) + Self.words([0, 0, 1, 1])
        return result + UInt32(entry.count).littleEndianBytes
            + UInt32(directory).littleEndianBytes + Self.words([0])
    }

    private var header: [UInt8] {
        Array("PK\u{3}\u{4}".utf8) + Self.words(Self.properties) + [UInt8](repeating: 0, count: 12)
            + Self.words([UInt16(name.count), 0]) + name
    }

    /// Returns the file's entry in the central directory.
    private func entry(_ sums: ArraySlice<UInt8>) -> [UInt8] {
        // The zeros: no extra field, comment, disk number or attributes, and offset 0 of the file's
        // header.
        Array("PK\u{1}\u{2}".utf8) + Self.words([20] + Self.properties) + sums
            + Self.words([UInt16(name.count), 0, 0, 0, 0]) + [UInt8](repeating: 0, count: 8) + name
    }

    private static func words(_ numbers: [UInt16]) -> [UInt8] {
        numbers.flatMap { $0.littleEndianBytes }
    }
}

/// Reads the KML of a KMZ file, a zip archive, as a stream in bounded memory: the first entry whose
/// name ends with `.kml`. Other entries, such as images, are skipped.
///
/// An entry is deflated or stored. Its sizes may follow it, if it is deflated: then they are only
/// known when it has been decompressed.
final class ZipDecompressor: Decompressor {
    private enum State {
        /// Between entries.
        case header
        case stored(Int)
        case deflated(Inflater)
        /// After the KML, whose checksum follows it.
        case checksum
        /// The rest of the archive is ignored.
        case rest
    }

    /// An inflate stream without a header.
    private final class Inflater {
        let stream: ZlibStream

        init() throws(CompressionError) {
            stream = try ZlibStream(czlib_inflate_raw_init, end: inflateEnd)
        }
    }

    /// The properties of the current entry.
    private struct Entry {
        /// The size in bytes of the header without the name and the extra field.
        private static let headerSize = 30

        let flags: Int
        let method: Int
        let checksum: UInt32
        let packedSize: Int
        private let nameLength: Int
        private let extraLength: Int
        let isKML: Bool
        /// Whether the checksum and the sizes follow the entry.
        var hasDescriptor: Bool { flags & 8 != 0 }
        /// The size in bytes of the header.
        var end: Int { Self.headerSize + nameLength + extraLength }

        /// Returns `nil` if the header is incomplete.
        init?(_ header: [UInt8]) {
            guard header.count >= Self.headerSize else { return nil }
            flags = Int(littleEndianBytes: header[6..<8])
            method = Int(littleEndianBytes: header[8..<10])
            checksum = UInt32(littleEndianBytes: header[14..<18])
            packedSize = Int(littleEndianBytes: header[18..<22])
            nameLength = Int(littleEndianBytes: header[26..<28])
            extraLength = Int(littleEndianBytes: header[28..<30])
            let name = header.dropFirst(Self.headerSize).prefix(nameLength)
            let path = String(decoding: name, as: UTF8.self).lowercased()
            // macOS adds files with attributes, such as `__MACOSX/._doc.kml`.
            isKML =
                path.hasSuffix(".kml") && !path.hasPrefix("__macosx/")
                && !path.split(separator: "/").contains { $0.hasPrefix("._") }
            guard header.count >= end else { return nil }
        }
    }

    private static let entryStart: [UInt8] = Array("PK\u{3}\u{4}".utf8)
    private static let descriptorStart: [UInt8] = Array("PK\u{7}\u{8}".utf8)
    private static let notZip = CompressionError("it is not a zip archive")

    private var state = State.header
    /// The bytes of an incomplete header or checksum.
    private var pending: [UInt8] = []
    private var entry: Entry?
    private var sum = GzipTrailer()
    /// The output for entries that are skipped.
    private var skipped: [UInt8] = []

    /// Returns whether bytes begin with an entry of a zip archive.
    static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.prefix(4).elementsEqual(entryStart)
    }

    var isInFrame: Bool { if case .rest = state { false } else { true } }

    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        switch state {
        case .rest: return (bytes.count, 0)
        case .header: return (try readHeader(bytes), 0)
        case .checksum: return (try readChecksum(bytes), 0)
        case .stored(let size):
            let isKML = entry?.isKML == true
            let count = min(bytes.count, size, isKML ? room.count : .max)
            if isKML { room.replaceSubrange(0..<count, with: bytes.prefix(count)) }
            state = .stored(size - count)
            return (count, try end(count, in: room, isOver: size == count))
        case .deflated(let inflater):
            var (status, consumed, produced) = (Z_OK, 0, 0)
            if entry?.isKML == true {
                (status, consumed, produced) = inflater.stream.step(bytes, into: &room) {
                    inflate($0, Z_NO_FLUSH)
                }
            } else {
                if skipped.isEmpty { skipped = [UInt8](repeating: 0, count: 1 << 16) }
                // The caller sees no progress if there is only output.
                repeat {
                    (status, consumed, produced) = inflater.stream.step(bytes, into: &skipped) {
                        inflate($0, Z_NO_FLUSH)
                    }
                } while status == Z_OK && consumed == 0 && produced > 0
            }
            guard [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(status) else {
                throw CompressionError(inflater.stream.message ?? Self.notZip.description)
            }
            return (consumed, try end(produced, in: room, isOver: status == Z_STREAM_END))
        }
    }

    /// Handles output of the current entry. Returns the number of bytes that are passed on.
    private func end(
        _ count: Int, in room: [UInt8], isOver: Bool
    ) throws(CompressionError) -> Int {
        guard let entry else { return 0 }
        if entry.isKML { sum.add(room.prefix(count)) }
        guard isOver else { return entry.isKML ? count : 0 }
        guard entry.isKML else {
            state = .header
            return 0
        }
        state = entry.hasDescriptor ? .checksum : .rest
        if !entry.hasDescriptor { try check(entry.checksum) }
        return count
    }

    private func check(_ checksum: UInt32) throws(CompressionError) {
        guard checksum == sum.checksum else {
            throw CompressionError("the checksum of the KML in the zip archive is wrong")
        }
    }

    private func readChecksum(_ bytes: ArraySlice<UInt8>) throws(CompressionError) -> Int {
        pending += bytes
        guard pending.count >= 8 else { return bytes.count }
        let start = pending.starts(with: Self.descriptorStart) ? 4 : 0
        state = .rest
        try check(UInt32(littleEndianBytes: pending[start..<start + 4]))
        return bytes.count
    }

    /// Reads the next part of a header. Returns the number of bytes consumed.
    private func readHeader(_ bytes: ArraySlice<UInt8>) throws(CompressionError) -> Int {
        pending += bytes
        if entry?.hasDescriptor == true {
            // The checksum and two sizes, perhaps with a signature, and with 32 or 64 bits.
            guard pending.count >= 28 else { return bytes.count }
            let start = pending.starts(with: Self.descriptorStart) ? 4 : 0
            let end = [12, 20].map { start + $0 }.first { pending[$0...].starts(with: "PK".utf8) }
            guard let end else { throw Self.notZip }
            pending.removeFirst(end)
            entry = nil
        }
        guard pending.count >= 4 else { return bytes.count }
        guard Self.isZip(pending) else {
            throw CompressionError(
                unsupported: "the zip archive has no KML: unzip it, and read its files")
        }
        guard let entry = Entry(pending) else { return bytes.count }
        self.entry = entry
        // The header was incomplete before this call, so the bytes after it are in `bytes`.
        let rest = min(bytes.count, pending.count - entry.end)
        pending = []
        guard entry.flags & 1 == 0 else {
            throw CompressionError(unsupported: "the zip archive is encrypted")
        }
        switch entry.method {
        case 0:
            guard !entry.hasDescriptor, entry.packedSize < 0xFFFF_FFFF else {
                throw CompressionError(
                    unsupported:
                        "the zip archive does not state the size of an entry before it: unzip it")
            }
            state = .stored(entry.packedSize)
            if entry.packedSize == 0 { _ = try end(0, in: [], isOver: true) }
        case 8: state = .deflated(try Inflater())
        default:
            throw CompressionError(unsupported: "the zip archive does not use deflate: unzip it")
        }
        return bytes.count - rest
    }
}
