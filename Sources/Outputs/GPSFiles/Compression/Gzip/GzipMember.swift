// SPDX-License-Identifier: MIT
import CGPSZlib

/// Writes a gzip member of complete blocks, which can be ended after each of them.
package final class GzipMember: CompressedFrame {
    /// The header: magic number, deflate, no name, no time, unknown system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private let stream: ZlibStream
    private var trailer = GzipTrailer()
    package private(set) var size = 0

    /// Creates a member; throws if out of memory.
    package init() throws(CompressionError) {
        stream = try ZlibStream(czlib_deflate_init, end: deflateEnd)
    }

    /// Compresses bytes and returns complete blocks that end at a byte boundary. The first call
    /// also returns the header. The corresponding C function is `deflate` with `Z_SYNC_FLUSH`.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var result = size == 0 ? Self.header : []
        var room = [UInt8](repeating: 0, count: max(1024, bytes.count / 2))
        trailer.add(bytes)
        var rest = bytes[...]
        while true {
            let (status, consumed, produced) = stream.step(rest, into: &room) {
                deflate($0, Z_SYNC_FLUSH)
            }
            // Z_BUF_ERROR: there was nothing left to write after the previous call.
            guard status == Z_OK || status == Z_BUF_ERROR else {
                throw CompressionError("deflate failed with \(status)")
            }
            rest = rest.dropFirst(consumed)
            result += room.prefix(produced)
            // If the buffer was not filled, everything has been written.
            guard status == Z_OK, produced == room.count else { break }
        }
        size += result.count
        return result
    }

    package var end: FrameEnd { .gzip(trailer) }

    /// Returns a complete member that stores `bytes` uncompressed.
    package static func whole(_ bytes: [UInt8]) -> [UInt8] {
        header + GzipTrailer().end(with: bytes)
    }
}
