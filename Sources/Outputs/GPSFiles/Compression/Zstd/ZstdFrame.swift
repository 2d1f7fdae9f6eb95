// SPDX-License-Identifier: MIT
import CGPSZstd

/// Writes a zstd frame of complete blocks, which can be ended after each of them.
///
/// The frame has no checksum and no size, so an empty last block completes it. The caller can write
/// a last block after every block, and overwrite it with the next one.
package final class ZstdFrame: CompressedFrame {
    /// The base-2 logarithm of the window for matches: 2^18 bytes. The window covers more than half
    /// a minute of similar sentences at 1 Hz.
    private static let windowLog: CInt = 18
    private static let level: CInt = 6
    /// The maximum size of a block (RFC 8878).
    private static let maximumBlockSize = 1 << 17

    private let context: OpaquePointer
    /// The compressed size in bytes so far, without the last block, which ends the frame.
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
            let (end, produced, status) = bytes.withUnsafeBytes { bytes in
                room.withUnsafeMutableBytes { room in
                    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: start)
                    var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                    let status = ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush)
                    return (input.pos, output.pos, status)
                }
            }
            if let error = CompressionError(status) { throw error }
            start = end
            result += room.prefix(produced)
            rest = status
        }
        size += result.count
        return result
    }

    package var end: FrameEnd { .zstd }

    /// Returns the bytes that end a frame: one or more blocks that store `bytes` uncompressed.
    package static func end(_ bytes: [UInt8] = []) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        repeat {
            let end = min(bytes.count, start + maximumBlockSize)
            // The block header: bit 0 is 1 for the last block; bits 1 and 2 are the type, 0 for
            // uncompressed; then the length.
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

    /// Returns a complete frame that stores `bytes` uncompressed.
    package static func whole(_ bytes: [UInt8]) -> [UInt8] {
        // The magic number; no checksum, no size; a window of 2^17 bytes.
        [0x28, 0xB5, 0x2F, 0xFD, 0x00, 7 << 3] + end(bytes)
    }
}
