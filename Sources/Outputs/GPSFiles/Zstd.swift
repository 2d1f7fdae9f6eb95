// SPDX-License-Identifier: MIT
import CGPSZstd

/// Decompresses a zstd stream in bounded memory.
package final class ZstdDecompressor: Decompressor {
    private let context: OpaquePointer
    /// Whether the input so far ends inside a frame.
    package private(set) var isInFrame = false

    /// Creates a decompressor; throws if out of memory.
    package init() throws(CompressionError) {
        guard let context = ZSTD_createDCtx() else { throw CompressionError("out of memory") }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Returns whether bytes begin with the magic number of a zstd frame or of a skippable frame.
    package static func isZstd(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        // A skippable frame begins with 0x184D2A50 to 0x184D2A5F, little-endian.
        return head == [0x28, 0xB5, 0x2F, 0xFD]
            || head.count == 4 && head[0] & 0xF0 == 0x50
                && head.dropFirst().elementsEqual([0x2A, 0x4D, 0x18])
    }

    /// Decompresses input until `bytes` is consumed or `room` is full. The corresponding C function
    /// is `ZSTD_decompressStream`.
    package func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        let (consumed, produced, status) = bytes.withUnsafeBytes { bytes in
            room.withUnsafeMutableBytes { room in
                var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                let status = ZSTD_decompressStream(context, &output, &input)
                return (input.pos, output.pos, status)
            }
        }
        if let error = CompressionError(status) { throw error }
        if consumed > 0 || produced > 0 { isInFrame = status != 0 }
        return (consumed, produced)
    }
}
