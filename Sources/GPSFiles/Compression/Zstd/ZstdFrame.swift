// SPDX-License-Identifier: MIT
import CGPSZstd

/// A zstd frame that grows by complete blocks and can be ended after each of them.
///
/// Without a checksum and a size, a last block completes it: one is written after every block and
/// overwritten by the next.
package final class ZstdFrame: CompressedFrame {
    /// A window of 256 KiB: more than half a minute at 1 Hz, whose sentences are similar.
    private static let windowLog: CInt = 18
    private static let level: CInt = 6
    /// The maximum size of a block (RFC 8878).
    private static let longestBlock = 1 << 17

    private let context: OpaquePointer
    /// The size in bytes.
    package private(set) var size = 0

    /// Creates a frame; throws if out of memory.
    package init() throws(CompressionError) {
        guard let context = ZSTD_createCCtx() else { throw CompressionError("out of memory") }
        self.context = context
        for (parameter, value) in [
            (ZSTD_c_compressionLevel, Self.level), (ZSTD_c_windowLog, Self.windowLog),
            (ZSTD_c_checksumFlag, 0), (ZSTD_c_contentSizeFlag, 0),
        ] {
            // The values are valid, so this cannot fail.
            ZSTD_CCtx_setParameter(context, parameter, value)
        }
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Compresses bytes into blocks; the first call also returns the frame's header.
    ///
    /// The corresponding C function is `ZSTD_compressStream2` with `ZSTD_e_flush`.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count) + 64)
        var start = 0
        var rest = 1
        while rest > 0 || start < bytes.count {
            let (consumed, produced, status) = Self.step(context, bytes, start, &room)
            if let error = CompressionError(status) { throw error }
            start += consumed
            result += room.prefix(produced)
            rest = status
        }
        size += result.count
        return result
    }

    private static func step(
        _ context: OpaquePointer, _ bytes: [UInt8], _ start: Int, _ room: inout [UInt8]
    ) -> (consumed: Int, produced: Int, status: Int) {
        bytes.withUnsafeBytes { bytes in
            room.withUnsafeMutableBytes { room in
                var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: start)
                var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                let status = ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush)
                return (input.pos - start, output.pos, status)
            }
        }
    }

    package var end: FrameEnd { .zstd }

    /// Returns the last block of a frame, with `bytes` uncompressed.
    package static func end(_ bytes: [UInt8] = []) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        repeat {
            let end = min(bytes.count, start + longestBlock)
            // A block header: 1 for the last block, the type (0 for uncompressed), the length.
            let head = (end - start) << 3 | (end == bytes.count ? 1 : 0)
            result += [
                UInt8(truncatingIfNeeded: head), UInt8(truncatingIfNeeded: head >> 8),
                UInt8(truncatingIfNeeded: head >> 16),
            ]
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        return result
    }

    /// Returns a complete frame of uncompressed bytes.
    package static func whole(_ bytes: [UInt8]) -> [UInt8] {
        // The magic number; no checksum, no size; a window of 2^17 bytes.
        [0x28, 0xB5, 0x2F, 0xFD, 0x00, 7 << 3] + end(bytes)
    }
}
