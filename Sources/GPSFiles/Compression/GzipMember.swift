// SPDX-License-Identifier: MIT
import CGPSZlib

/// A member of a gzip file that grows by whole blocks, and can be ended after each of them.
package final class GzipMember: CompressedFrame {
    /// The magic number, deflate, no name, no time, an unknown system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// At a stable address: zlib checks it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var trailer = GzipTrailer()
    package private(set) var size = 0

    /// Creates a member; throws without memory.
    package init() throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_deflate_init(stream) == Z_OK else {
            stream.deallocate()
            throw CompressionError("out of memory")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The corresponding C function is `deflate` with `Z_SYNC_FLUSH`, which ends at a whole byte.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var result = size == 0 ? Self.header : []
        var room = [UInt8](repeating: 0, count: max(1024, bytes.count / 2))
        trailer.add(bytes)
        let status = bytes.withUnsafeBytes { input in
            // zlib does not write to its input.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(clamping: input.count)
            defer { stream.pointee.next_in = nil }
            while true {
                let (status, count) = room.withUnsafeMutableBytes { output in
                    stream.pointee.next_out = output.baseAddress?
                        .assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(clamping: output.count)
                    defer { stream.pointee.next_out = nil }
                    let status = deflate(stream, Z_SYNC_FLUSH)
                    return (status, output.count - Int(stream.pointee.avail_out))
                }
                result += room.prefix(count)
                // With room left over everything has been written.
                guard status == Z_OK, count == room.count else { return status }
            }
        }
        // Without anything to be written: it was, by the call before.
        guard status == Z_OK || status == Z_BUF_ERROR else {
            throw CompressionError("deflate failed with \(status)")
        }
        size += result.count
        return result
    }

    package var end: FrameEnd { .gzip(trailer) }

    /// Returns a complete member of uncompressed bytes.
    package static func whole(_ bytes: [UInt8]) -> [UInt8] {
        header + GzipTrailer().end(with: bytes)
    }
}
