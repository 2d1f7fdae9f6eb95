// SPDX-License-Identifier: MIT

/// Decompresses a format as a stream, in bounded memory.
package protocol Decompressor: AnyObject {
    /// Whether a frame or member has begun and not ended.
    var isInFrame: Bool { get }

    /// Decompresses as much input as the output has room for.
    ///
    /// Returns the numbers of bytes consumed and produced; if both are 0, more input is needed. Throws if
    /// the input is damaged.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int)
}

extension Decompressor {
    /// Decompresses bytes that may be incomplete.
    ///
    /// Throws if they are damaged or have more content than `limit`: a few bytes from a network may expand to
    /// a gigabyte of zeros.
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
