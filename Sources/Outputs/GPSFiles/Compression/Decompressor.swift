// SPDX-License-Identifier: MIT

/// Decompresses a stream of zstd or gzip in bounded memory.
package protocol Decompressor: AnyObject {
    /// Whether the input so far ends inside a zstd frame or gzip member.
    var isInFrame: Bool { get }

    /// Decompresses input until `bytes` is consumed or `room` is full.
    ///
    /// Returns the numbers of bytes consumed and produced. If both are 0, more input is needed.
    /// Throws an error if the input is damaged.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int)
}

extension Decompressor {
    /// Decompresses all of `bytes`, which may end inside a frame.
    ///
    /// Throws an error if the bytes are damaged or decompress to more than `limit` bytes. Use a
    /// limit for bytes from a network, because a few bytes may decompress to a gigabyte.
    package func all(
        _ bytes: ArraySlice<UInt8>, limit: Int = .max
    ) throws(CompressionError) -> [UInt8] {
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 17)
        var rest = bytes
        while true {
            let (consumed, produced) = try step(rest, into: &room)
            rest = rest.dropFirst(consumed)
            result += room.prefix(produced)
            guard result.count <= limit else {
                throw CompressionError("the content is larger than \(limit) bytes")
            }
            guard consumed > 0 || produced == room.count else { return result }
        }
    }
}
