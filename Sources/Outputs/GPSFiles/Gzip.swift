// SPDX-License-Identifier: MIT
import CGPSZlib
import GNSS

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

extension CompressedEnding {
    private static let chunk = 1 << 16

    /// Examines a gzip file of `size` bytes. To find its end, the whole file is decompressed.
    ///
    /// The file can be cut between members, and inside a member where a block ends at a byte
    /// boundary, as after `Z_SYNC_FLUSH`. `read` returns a range of the file. `headCount` is the
    /// maximum size of `head`. Throws an error if the first block cannot be decompressed.
    init(
        gzip size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) {
        self.init()
        let decompressor = try GzipDecompressor()
        var trailer = GzipTrailer()
        var room = [UInt8](repeating: 0, count: Self.chunk)
        var offset = 0
        var bytes: ArraySlice<UInt8> = []
        var failure: CompressionError?
        addBoundary(at: 0)
        while failure == nil {
            if bytes.isEmpty { bytes = read(offset, Self.chunk)[...] }
            do {
                let step = try decompressor.stepToBlockEnd(bytes, into: &room)
                guard step.consumed > 0 || step.produced > 0 else { break }
                offset += step.consumed
                bytes = bytes.dropFirst(step.consumed)
                let content = room.prefix(step.produced)
                trailer.add(content)
                if head.count < headCount { head += content.prefix(headCount - head.count) }
                append(content)
                guard let boundary = step.boundary else { continue }
                if boundary == .memberEnd { trailer = GzipTrailer() }
                addBoundary(at: offset, boundary == .memberEnd ? nil : .gzip(trailer))
            } catch {
                failure = error
            }
        }
        isTorn = failure != nil || decompressor.isInFrame || offset < size
        if let failure, contentSize == 0 { throw failure }
        if isTorn { dropIncompleteBlock() }
    }
}

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

/// The checksum and length of a gzip member's content, stored at the member's end.
package struct GzipTrailer: Equatable, Sendable {
    /// The maximum size in bytes of a stored (uncompressed) block (RFC 1951).
    private static let maximumBlockSize = 0xFFFF

    private(set) var checksum: UInt32 = 0
    private var length: UInt32 = 0

    /// Updates the checksum and the length with content.
    ///
    /// The corresponding C function is `crc32_z`.
    mutating func add(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        checksum = bytes.withUnsafeBytes { bytes in
            UInt32(
                truncatingIfNeeded: crc32_z(
                    uLong(checksum), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    bytes.count))
        }
        length &+= UInt32(truncatingIfNeeded: bytes.count)
    }

    /// Returns the bytes that end the member: stored blocks with the content `last`, the checksum
    /// and the length.
    func end(with last: [UInt8]) -> [UInt8] {
        var trailer = self
        trailer.add(last)
        var result: [UInt8] = []
        var start = 0
        repeat {
            let end = min(last.count, start + Self.maximumBlockSize)
            let count = UInt16(end - start)
            result.append(end == last.count ? 1 : 0)
            result += count.littleEndianBytes + (~count).littleEndianBytes + last[start..<end]
            start = end
        } while start < last.count
        return result + trailer.checksum.littleEndianBytes + trailer.length.littleEndianBytes
    }
}

/// A `z_stream` for deflate or inflate. It is allocated on the heap because zlib stores its
/// address.
struct ZlibStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let end: (z_streamp) -> CInt

    /// Creates a stream. `begin` initializes it, such as `inflateInit2`; `end` frees its memory,
    /// such as `inflateEnd`. Throws an error if out of memory.
    init(
        _ begin: (z_streamp) -> CInt, end: @escaping (z_streamp) -> CInt
    ) throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        self.end = end
        guard begin(stream) == Z_OK else {
            // The stream has not been initialized, so it must not be ended.
            stream.deallocate()
            throw CompressionError("out of memory")
        }
    }

    deinit {
        _ = end(stream)
        stream.deallocate()
    }

    /// zlib's description of the last error.
    var message: String? { stream.pointee.msg.map { String(cString: $0) } }

    /// The `data_type` that `inflate` sets with `Z_BLOCK`: whether a block has ended, and the
    /// number of unused bits.
    var dataType: CInt { stream.pointee.data_type }

    /// Sets the input and output buffers and calls `body`, which calls a zlib function. Returns its
    /// result and the numbers of bytes consumed and produced.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8], _ body: (z_streamp) -> CInt
    ) -> (status: CInt, consumed: Int, produced: Int) {
        let status = bytes.withUnsafeBytes { input in
            room.withUnsafeMutableBytes { output in
                // zlib does not write to its input.
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.pointee.avail_in = UInt32(clamping: input.count)
                stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(clamping: output.count)
                return body(stream)
            }
        }
        let consumed = min(bytes.count, Int(UInt32.max)) - Int(stream.pointee.avail_in)
        let produced = min(room.count, Int(UInt32.max)) - Int(stream.pointee.avail_out)
        // zlib must not use the buffers after this call.
        (stream.pointee.next_in, stream.pointee.next_out) = (nil, nil)
        return (status, consumed, produced)
    }
}
