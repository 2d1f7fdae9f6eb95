// SPDX-License-Identifier: MIT
import CGPSZlib
import GNSS

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
        static let headerSize = 30

        let flags: Int
        let method: Int
        let checksum: UInt32
        let packedSize: Int
        let nameLength: Int
        let extraLength: Int
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
            isKML = String(decoding: name, as: UTF8.self).lowercased().hasSuffix(".kml")
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
            throw CompressionError("the zip archive has no KML: unzip it, and read its files")
        }
        guard let entry = Entry(pending) else { return bytes.count }
        self.entry = entry
        // The header was incomplete before this call, so the bytes after it are in `bytes`.
        let rest = min(bytes.count, pending.count - entry.end)
        pending = []
        guard entry.flags & 1 == 0 else { throw CompressionError("the zip archive is encrypted") }
        switch entry.method {
        case 0:
            guard !entry.hasDescriptor, entry.packedSize < 0xFFFF_FFFF else {
                throw CompressionError(
                    "the zip archive does not state the size of an entry before it: unzip it")
            }
            state = .stored(entry.packedSize)
            if entry.packedSize == 0 { _ = try end(0, in: [], isOver: true) }
        case 8: state = .deflated(try Inflater())
        default: throw CompressionError("the zip archive does not use deflate: unzip it")
        }
        return bytes.count - rest
    }
}
