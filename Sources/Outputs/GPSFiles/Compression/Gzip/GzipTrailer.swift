// SPDX-License-Identifier: MIT
import CGPSZlib
import GNSS

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
