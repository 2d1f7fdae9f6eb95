// SPDX-License-Identifier: MIT

/// Decompresses a format as a stream, in bounded memory.
package protocol Decompressor: AnyObject {
    /// Whether a frame, or member, has begun that has not ended.
    var isInFrame: Bool { get }

    /// Decompresses as much of the input as the room can hold.
    ///
    /// Returns how many bytes were consumed and produced; where both are 0, more input is needed. Throws
    /// where the input is damaged.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int)
}

extension Decompressor {
    /// Decompresses bytes as far as they are complete.
    ///
    /// Throws where they are damaged, or have more content than `limit`: what comes over a network may be a gigabyte of
    /// zeros in a few bytes.
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
                throw CompressionError("it is larger than \(limit) bytes")
            }
            guard consumed > 0 || produced == room.count else { return result }
        }
    }
}
