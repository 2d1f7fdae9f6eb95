// SPDX-License-Identifier: MIT
import CGPSZstd

/// Compresses short messages, each into its own zstd frame.
package enum ZstdMessage {
    /// Compresses bytes into a complete frame.
    ///
    /// Throws an error if out of memory. The corresponding C function is `ZSTD_compress`.
    package static func compress(
        _ bytes: Span<UInt8>, level: CInt = 3
    ) throws(CompressionError) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let size = bytes.withUnsafeBytes { bytes in
            room.withUnsafeMutableBytes { room in
                ZSTD_compress(room.baseAddress, room.count, bytes.baseAddress, bytes.count, level)
            }
        }
        if let error = CompressionError(size) { throw error }
        return Array(room.prefix(size))
    }

    /// Decompresses a complete frame.
    ///
    /// Throws an error if the frame is incomplete or damaged, or if its content is larger than
    /// `limit` bytes.
    package static func decompress(
        _ message: ArraySlice<UInt8>, limit: Int
    ) throws(CompressionError) -> [UInt8] {
        let decompressor = try ZstdDecompressor()
        let result = try decompressor.all(message, limit: limit)
        guard !decompressor.isInFrame else { throw CompressionError("it is cut off") }
        return result
    }
}
