// SPDX-License-Identifier: MIT
import CGPSZlib

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
