// SPDX-License-Identifier: MIT
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
