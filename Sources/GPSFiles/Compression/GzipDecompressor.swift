// SPDX-License-Identifier: MIT
import CGPSZlib

/// Decompresses gzip as a stream, in bounded memory. Members may follow one another.
final class GzipDecompressor {
    /// At a stable address: zlib checks it.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether a member has begun and not ended.
    private(set) var isInMember = false
    /// Zeros may follow the last member, as on a tape; anything else is an error.
    private var isPadding = false

    /// Creates a decompressor; throws without memory.
    init() throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_inflate_init(stream) == Z_OK else {
            stream.deallocate()
            throw CompressionError("there is no memory")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether bytes begin with gzip's magic number.
    static func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.prefix(2).elementsEqual([0x1F, 0x8B])
    }

    /// Decompresses as much of the input as the room can hold.
    ///
    /// Returns how many bytes were consumed and produced; where both are 0, more input is needed.
    /// Throws where the input is damaged. The corresponding C function is `inflate`.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        let step = try step(bytes, into: &room, flush: Z_NO_FLUSH)
        return (step.consumed, step.produced)
    }

    /// A place where a file can be cut.
    enum Boundary {
        /// A block has ended at a whole byte.
        case blockEnd
        /// A member has ended.
        case memberEnd
    }

    /// Decompresses as `step` does, to the end of a block at most.
    ///
    /// The corresponding C function is `inflate` with `Z_BLOCK`.
    func stepToBlockEnd(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int, boundary: Boundary?) {
        let step = try step(bytes, into: &room, flush: Z_BLOCK)
        guard step.consumed > 0 || step.produced > 0 else { return (0, 0, nil) }
        guard isInMember else { return (step.consumed, step.produced, .memberEnd) }
        // 128 behind a block, 64 in the last one; then how many bits of the last byte are not used yet.
        let isAtByte = stream.pointee.data_type & 0b1100_0111 == 0b1000_0000
        return (step.consumed, step.produced, isAtByte ? .blockEnd : nil)
    }

    private func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8], flush: CInt
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        if !isInMember, isPadding {
            let zeros = bytes.prefix { $0 == 0 }.count
            if zeros > 0 || bytes.isEmpty { return (zeros, 0) }
        }
        let status = bytes.withUnsafeBytes { input in
            room.withUnsafeMutableBytes { output in
                // zlib does not write to its input.
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.pointee.avail_in = UInt32(clamping: input.count)
                stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(clamping: output.count)
                return inflate(stream, flush)
            }
        }
        let consumed = min(bytes.count, Int(UInt32.max)) - Int(stream.pointee.avail_in)
        let produced = min(room.count, Int(UInt32.max)) - Int(stream.pointee.avail_out)
        // The buffers are not used after this call.
        (stream.pointee.next_in, stream.pointee.next_out) = (nil, nil)
        switch status {
        case Z_OK, Z_BUF_ERROR: if consumed > 0 || produced > 0 { isInMember = true }
        case Z_STREAM_END:
            (isInMember, isPadding) = (false, true)
            inflateReset(stream)
        default:
            throw CompressionError(
                stream.pointee.msg.map { String(cString: $0) } ?? "it is not gzip")
        }
        return (consumed, produced)
    }
}
