// SPDX-License-Identifier: MIT
import CGPSZlib

/// Decompresses a gzip stream of one or several members in bounded memory.
final class GzipDecompressor: Decompressor {
    private let stream: ZlibStream
    /// Whether the input so far ends inside a member.
    private(set) var isInFrame = false
    /// Whether the previous member has ended, so that zeros are skipped. A file from a tape may
    /// contain such padding after each member.
    private var isPadding = false

    /// Creates a decompressor; throws if out of memory.
    init() throws(CompressionError) {
        stream = try ZlibStream(czlib_inflate_init, end: inflateEnd)
    }

    /// Returns whether bytes begin with gzip's magic number.
    static func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.prefix(2).elementsEqual([0x1F, 0x8B])
    }

    /// Decompresses input until `bytes` is consumed or `room` is full. The corresponding C function
    /// is `inflate`.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        let step = try step(bytes, into: &room, flush: Z_NO_FLUSH)
        return (step.consumed, step.produced)
    }

    /// A point at which a gzip file can be cut.
    enum Boundary {
        /// The end of a block that is not the last one of its member, if it is at a byte boundary.
        case blockEnd
        /// The end of a member.
        case memberEnd
    }

    /// Decompresses like `step`, but also stops at the end of a block. `boundary` is `nil` if the
    /// file cannot be cut there.
    ///
    /// The corresponding C function is `inflate` with `Z_BLOCK`.
    func stepToBlockEnd(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int, boundary: Boundary?) {
        let step = try step(bytes, into: &room, flush: Z_BLOCK)
        guard step.consumed > 0 || step.produced > 0 else { return (0, 0, nil) }
        guard isInFrame else { return (step.consumed, step.produced, .memberEnd) }
        // Bit 7 is set at the end of a block, bit 6 in the last block. Bits 0 to 2 count the unused
        // bits of the last byte.
        let isAtByte = stream.dataType & 0b1100_0111 == 0b1000_0000
        return (step.consumed, step.produced, isAtByte ? .blockEnd : nil)
    }

    private func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8], flush: CInt
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        if !isInFrame, isPadding {
            let zeros = bytes.prefix { $0 == 0 }.count
            if zeros > 0 || bytes.isEmpty { return (zeros, 0) }
        }
        let (status, consumed, produced) = stream.step(bytes, into: &room) { stream in
            let status = inflate(stream, flush)
            if status == Z_STREAM_END { inflateReset(stream) }
            return status
        }
        switch status {
        case Z_OK, Z_BUF_ERROR: if consumed > 0 || produced > 0 { isInFrame = true }
        case Z_STREAM_END: (isInFrame, isPadding) = (false, true)
        default: throw CompressionError(stream.message ?? "it is not gzip")
        }
        return (consumed, produced)
    }
}
